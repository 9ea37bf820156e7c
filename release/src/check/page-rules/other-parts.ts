import { summarizeList } from '../../platform/summarize-list.ts';
import type { Visit } from '../browser/visit-page.ts';
import { newSightings, type PageRule } from './page-rule.ts';

/** The parts of other teams look as they do in the live page. The shell may change everything. */
export const otherParts: PageRule = {
  name: 'other parts',
  visitors: ['desktop', 'phone'],
  async see(visit, { remotes, shell }, live) {
    if (shell !== undefined || !(await live())) return [];
    const own = [...remotes.keys()];
    const look = (seen: Visit) => seen.world.run(describeOthers, own);
    const changed = await newSightings(visit, live, look);
    const before = await live();
    // Something that is gone changes nothing that is left.
    const gone = before && changed.length === 0 ? await newSightings(before, async () => visit, look) : [];
    const list = (sightings: typeof gone) => summarizeList(sightings.map(({ text }) => text));
    if (changed.length > 0) return [{ text: `changes what is not its own: ${list(changed)}` }];
    return gone.length === 0 ? [] : [{ text: `removes what is not its own: ${list(gone)}` }];
  },
};

/** Runs in the page: box and styles of each element outside of the slots of some remotes. */
function describeOthers(own: readonly string[]) {
  const properties = [
    ...['display', 'visibility', 'opacity', 'position', 'z-index', 'transform', 'filter', 'overflow'],
    ...['color', 'background-color', 'background-image', 'box-shadow', 'border-radius', 'border-width'],
    ...['border-color', 'padding', 'font-family', 'font-size', 'font-weight', 'font-style', 'line-height'],
    ...['letter-spacing', 'text-align', 'text-decoration-line', 'text-transform', 'pointer-events', 'cursor'],
  ];
  const isOwn = (slot: Element) => own.includes(slot.getAttribute('data-remote') ?? '');
  const ownSlots = [...document.querySelectorAll('[data-remote]')].filter(isOwn);
  const skipped = 'script, style, template, noscript, link, meta, title';
  const describe = (
    element: Element,
    path: string,
    start: number,
    team: string,
  ): { key: string; text: string }[] => {
    if (ownSlots.includes(element)) return [];
    const isSlot = element.hasAttribute('data-remote');
    const name = isSlot ? (element.getAttribute('data-remote') ?? '') : team;
    const box = element.getBoundingClientRect();
    const top = isSlot ? (element.firstElementChild?.getBoundingClientRect().top ?? 0) : start;
    // A version that brings one more stylesheet has the same elements.
    const visible = [...element.children].filter((child) => !child.matches(skipped));
    const children = visible.flatMap((child, index) => describe(child, `${path}/${index}`, top, name));
    // The size of what surrounds its own slots depends on them.
    if (ownSlots.some((slot) => element.contains(slot))) return children;
    // An element without a box is at the top of the window, however high the parts above are.
    const isNowhere = element.getClientRects().length === 0;
    const offset = isSlot || isNowhere || name === 'shell' ? 0 : box.top - top;
    const round = (value: number) => Math.round(value).toString();
    const styles = getComputedStyle(element);
    const values = properties.map((property) => styles.getPropertyValue(property));
    const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE;
    const texts = [...element.childNodes].filter(isText).map(({ data }) => data.trim());
    const targets = ['href', 'action', 'src', 'name'].map(
      (attribute) => element.getAttribute(attribute) ?? '',
    );
    const place = [box.left, box.width, box.height, offset].map(round);
    const key = [name, path, ...place, ...texts, ...targets, ...values].join('|');
    const label = element.textContent.trim().slice(0, 40);
    return [{ key, text: `${element.localName} "${label}" of ${name}` }, ...children];
  };
  return describe(document.body, '', 0, 'shell');
}
