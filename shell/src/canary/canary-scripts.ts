import { preloadChoice, canarySlotAttributes } from '@countersign/contracts/page-markup';
import type { CanaryGroup } from '@countersign/contracts/page-report';
import { chooseVariant, isRequested } from './choose-variant.ts';
import { visitorId, visitorStorageKey } from './visitor-id.ts';

const variantFor = `(remote, percent, version) => (${isRequested})(location.search, remote, version) ? 'canary' :
(${chooseVariant})((${visitorId})(${JSON.stringify(visitorStorageKey)}), remote, percent)`;

type Assign = (remote: string, percent: number, version: string) => CanaryGroup;

/**
 * Inline script: keeps the preload links of the variant that the shell will assign, before the shell's code is
 * loaded.
 */
export const preloadScript = `(${preloadVariant})(${JSON.stringify(preloadChoice)}, ${variantFor})`;

/** Inline script: shows the markup of that variant. */
export const swapCanaryMarkupScript = `(${swapCanaryMarkup})(${JSON.stringify(canarySlotAttributes)}, ${variantFor})`;

/**
 * Activates the preload links of the variant that this visitor gets, for remotes with a canary. The source text
 * is inlined in the HTML, so the function must not use anything outside its body.
 *
 * @param assign called only for remotes with a canary
 */
function preloadVariant(attributes: typeof preloadChoice, assign: Assign): void {
  for (const template of document.querySelectorAll<HTMLTemplateElement>(`template[${attributes.remote}]`)) {
    const read = (name: string) => template.getAttribute(name) ?? '';
    const variant = assign(
      read(attributes.remote),
      Number(read(attributes.percent)),
      read(attributes.version),
    );
    if (variant === read(attributes.group)) template.replaceWith(template.content);
  }
}

/**
 * Replaces the live version's markup by the canary's, for visitors who get the canary. The source text is
 * inlined in the HTML, so the function must not use anything outside its body.
 *
 * @param assign called only for remotes with a canary
 */
function swapCanaryMarkup(attributes: typeof canarySlotAttributes, assign: Assign): void {
  for (const template of document.querySelectorAll<HTMLTemplateElement>(`template[${attributes.remote}]`)) {
    const read = (name: string) => template.getAttribute(name) ?? '';
    const variant = assign(
      read(attributes.remote),
      Number(read(attributes.percent)),
      read(attributes.version),
    );
    if (variant === 'canary') {
      template.previousElementSibling?.replaceWith(template.content);
    }
    template.remove();
  }
}
