import type { canarySlotAttributes } from '@countersign/contracts/slot-markup';
import type { CanaryGroup } from '@countersign/contracts/telemetry';

/**
 * Puts the markup of a canary in the place of the live version's, where this visitor gets it. Its source text is inlined
 * in the HTML, so it may use nothing from outside its own body.
 *
 * @param groupOf is asked only where there is a canary
 */
export function showCanaries(
  attributes: typeof canarySlotAttributes,
  groupOf: (remote: string, percent: number) => CanaryGroup,
): void {
  for (const template of document.querySelectorAll<HTMLTemplateElement>(`template[${attributes.remote}]`)) {
    const read = (name: string) => template.getAttribute(name) ?? '';
    if (groupOf(read(attributes.remote), Number(read(attributes.percent))) === 'canary') {
      template.previousElementSibling?.replaceWith(template.content);
    }
    template.remove();
  }
}
