import { summarizeList } from '../../platform/summarize-list.ts';
import type { Visit } from '../browser/visit-page.ts';
import { newSightings, type PageRule, type Sighting } from './page-rule.ts';

/** The parts of other teams look as they do in the live page. The shell may change everything. */
export const otherParts: PageRule = {
  name: 'other parts',
  visitors: ['desktop', 'phone'],
  async see(visit, { remotes, shell }, live) {
    if (shell !== undefined) return [];
    const livePage = await live();
    if (!livePage) return [];
    const look = (seen: Visit) => seen.world.run(sightOthers, [...remotes.keys()]);
    const changed = await newSightings(visit, live, look);
    if (changed.length > 0) return [{ text: `changes what is not its own: ${textOf(changed)}` }];
    // The other way round, because an element that is only removed changes none of those that are left.
    const gone = await newSightings(livePage, async () => visit, look);
    return gone.length === 0 ? [] : [{ text: `removes what is not its own: ${textOf(gone)}` }];
  },
};

function textOf(sightings: readonly Sighting[]): string {
  return summarizeList(sightings.map(({ text }) => text));
}

/**
 * One sighting for each element outside of the slots of the checked remotes. Its key holds place, size, texts, addresses and
 * styles. Runs in the page, so it can use nothing from outside of the function.
 */
function sightOthers(checked: readonly string[]) {
  const properties = [
    ...['display', 'visibility', 'opacity', 'position', 'z-index', 'transform', 'filter', 'overflow'],
    ...['color', 'background-color', 'background-image', 'box-shadow', 'border-radius', 'border-width'],
    ...['border-color', 'padding', 'font-family', 'font-size', 'font-weight', 'font-style', 'line-height'],
    ...['letter-spacing', 'text-align', 'text-decoration-line', 'text-transform', 'pointer-events', 'cursor'],
  ];
  const isOwn = (slot: Element) => checked.includes(slot.getAttribute('data-remote') ?? '');
  const ownSlots = [...document.querySelectorAll('[data-remote]')].filter(isOwn);
  const skipped = 'script, style, template, noscript, link, meta, title';
  const sightingsIn = (
    element: Element,
    path: string,
    slotTop: number,
    slotOwner: string,
  ): { key: string; text: string }[] => {
    if (ownSlots.includes(element)) return [];
    const isSlot = element.hasAttribute('data-remote');
    const owner = isSlot ? (element.getAttribute('data-remote') ?? '') : slotOwner;
    const box = element.getBoundingClientRect();
    // Places count from the first element of their slot, because the parts above may have another height.
    const top = isSlot ? (element.firstElementChild?.getBoundingClientRect().top ?? 0) : slotTop;
    // One more stylesheet or script is no change of the other parts.
    const visible = [...element.children].filter((child) => !child.matches(skipped));
    const children = visible.flatMap((child, index) => sightingsIn(child, `${path}/${index}`, top, owner));
    // The size of an element that contains a checked slot depends on it, so only its children count.
    if (ownSlots.some((slot) => element.contains(slot))) return children;
    // An element without a box reports the top of the window, and the shell's elements move with the parts above.
    const hasNoBox = element.getClientRects().length === 0;
    const offset = isSlot || hasNoBox || owner === 'shell' ? 0 : box.top - top;
    const round = (value: number) => Math.round(value).toString();
    const styles = getComputedStyle(element);
    const values = properties.map((property) => styles.getPropertyValue(property));
    const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE;
    const texts = [...element.childNodes].filter(isText).map(({ data }) => data.trim());
    const targets = ['href', 'action', 'src', 'name'].map(
      (attribute) => element.getAttribute(attribute) ?? '',
    );
    const place = [box.left, box.width, box.height, offset].map(round);
    const key = [owner, path, ...place, ...texts, ...targets, ...values].join('|');
    const label = element.textContent.trim().slice(0, 40);
    return [{ key, text: `${element.localName} "${label}" of ${owner}` }, ...children];
  };
  return sightingsIn(document.body, '', 0, 'shell');
}
