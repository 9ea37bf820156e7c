import { preloadChoice, canarySlotAttributes } from '@countersign/contracts/page-markup';
import type { CanaryGroup } from '@countersign/contracts/page-report';
import { chooseGroup, isRequested } from './choose-group.ts';
import { visitorId, visitorStorageKey } from './visitor-id.ts';

/** Source text of a function: the group of a remote that the shell will assign to this visitor. */
const groupFor = `(remote, percent, version, together) => (${isRequested})(location.search, together || remote + '@' + version) ? 'canary' :
(${chooseGroup})((${visitorId})(${JSON.stringify(visitorStorageKey)}), together || remote, percent)`;

type GroupFor = (remote: string, percent: number, version: string, together: string) => CanaryGroup;

/** Inline script that runs {@link preloadGroup}, before the shell's code is loaded. */
export const preloadScript = `(${preloadGroup})(${JSON.stringify(preloadChoice)}, ${groupFor})`;

/** Inline script that runs {@link swapCanaryMarkup}, after the last slot. */
export const swapCanaryMarkupScript = `(${swapCanaryMarkup})(${JSON.stringify(canarySlotAttributes)}, ${groupFor})`;

/**
 * Activates the preload links of the group of this visitor, for remotes with a canary. The source text
 * is inlined in the HTML, so the function must not use anything outside its body.
 */
function preloadGroup(attributes: typeof preloadChoice, choose: GroupFor): void {
  for (const template of document.querySelectorAll<HTMLTemplateElement>(`template[${attributes.remote}]`)) {
    const read = (name: string) => template.getAttribute(name) ?? '';
    const group = choose(
      read(attributes.remote),
      Number(read(attributes.percent)),
      read(attributes.version),
      read(attributes.together),
    );
    if (group === read(attributes.group)) template.replaceWith(template.content);
  }
}

/**
 * Replaces the live version's slot by the canary's, which follows it in a template, for visitors who get the canary. The source
 * text is inlined in the HTML, so the function must not use anything outside its body.
 */
function swapCanaryMarkup(attributes: typeof canarySlotAttributes, choose: GroupFor): void {
  for (const template of document.querySelectorAll<HTMLTemplateElement>(`template[${attributes.remote}]`)) {
    const read = (name: string) => template.getAttribute(name) ?? '';
    const group = choose(
      read(attributes.remote),
      Number(read(attributes.percent)),
      read(attributes.version),
      read(attributes.together),
    );
    if (group === 'canary') {
      template.previousElementSibling?.replaceWith(template.content);
    }
    template.remove();
  }
}
