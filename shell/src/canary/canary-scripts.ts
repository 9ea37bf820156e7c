import { preloadChoice, canarySlotAttributes } from '@countersign/contracts/page-markup';
import type { CanaryGroup } from '@countersign/contracts/page-report';
import { chooseVariant, isRequested } from './choose-variant.ts';
import { visitorId, visitorStorageKey } from './visitor-id.ts';

/** Source text of a function: the variant of a remote that the shell will assign to this visitor. */
const variantFor = `(remote, percent, version) => (${isRequested})(location.search, remote, version) ? 'canary' :
(${chooseVariant})((${visitorId})(${JSON.stringify(visitorStorageKey)}), remote, percent)`;

type VariantFor = (remote: string, percent: number, version: string) => CanaryGroup;

/** Inline script that runs {@link preloadVariant}, before the shell's code is loaded. */
export const preloadScript = `(${preloadVariant})(${JSON.stringify(preloadChoice)}, ${variantFor})`;

/** Inline script that runs {@link swapCanaryMarkup}, after the last slot. */
export const swapCanaryMarkupScript = `(${swapCanaryMarkup})(${JSON.stringify(canarySlotAttributes)}, ${variantFor})`;

/**
 * Activates the preload links of the variant that this visitor gets, for remotes with a canary. The source text
 * is inlined in the HTML, so the function must not use anything outside its body.
 */
function preloadVariant(attributes: typeof preloadChoice, choose: VariantFor): void {
  for (const template of document.querySelectorAll<HTMLTemplateElement>(`template[${attributes.remote}]`)) {
    const read = (name: string) => template.getAttribute(name) ?? '';
    const variant = choose(
      read(attributes.remote),
      Number(read(attributes.percent)),
      read(attributes.version),
    );
    if (variant === read(attributes.group)) template.replaceWith(template.content);
  }
}

/**
 * Replaces the live version's slot by the canary's, which follows it in a template, for visitors who get the canary. The source
 * text is inlined in the HTML, so the function must not use anything outside its body.
 */
function swapCanaryMarkup(attributes: typeof canarySlotAttributes, choose: VariantFor): void {
  for (const template of document.querySelectorAll<HTMLTemplateElement>(`template[${attributes.remote}]`)) {
    const read = (name: string) => template.getAttribute(name) ?? '';
    const variant = choose(
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
