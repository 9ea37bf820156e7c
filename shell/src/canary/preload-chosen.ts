import type { preloadChoice } from '@countersign/contracts/preload-choice';
import type { CanaryGroup } from '@countersign/contracts/telemetry';

/**
 * Has the browser load ahead what a remote with a canary will show to this visitor. Its source text is inlined in the
 * HTML, so it may use nothing from outside its own body.
 *
 * @param groupOf is asked only where there is a canary
 */
export function preloadChosen(
  attributes: typeof preloadChoice,
  groupOf: (remote: string, percent: number) => CanaryGroup,
): void {
  for (const template of document.querySelectorAll<HTMLTemplateElement>(`template[${attributes.remote}]`)) {
    const read = (name: string) => template.getAttribute(name) ?? '';
    const group = groupOf(read(attributes.remote), Number(read(attributes.percent)));
    if (group === read(attributes.group)) template.replaceWith(template.content);
  }
}
