import { setTimeout as delay } from 'node:timers/promises';
import { summarizeList } from '../summarize-list.ts';
import type { Visit } from '../browser/visit-page.ts';
import { noComparison, withoutKnown, type PageRule, type Sighting } from './page-rule.ts';

/** Looks at a page until it no longer differs from the live one, at most as often. */
const maxLooks = 4;
/** Between two looks, in milliseconds. */
const lookInterval = 1000;

/**
 * The parts of other teams look as they do in the live page. The shell may change everything. A difference counts if it lasts, and
 * not in places that change in the live page as well, such as a clock.
 */
export const otherParts: PageRule = {
  name: 'other parts',
  visitors: ['desktop', 'phone'],
  async see(visit, { remotes, shell }, live) {
    if (shell !== undefined) return [];
    const livePage = await live();
    if (!livePage) return [];
    const look = (seen: Visit) => seen.world.run(sightOthers, [...remotes.keys()]);
    const changing = new Set<string>();
    let before = await look(livePage).catch(noComparison);
    for (let looks = 1; before; looks += 1) {
      const seen = await look(visit);
      const isStill = ({ place }: Place) => !changing.has(place);
      const added = withoutKnown(seen.filter(isStill), before);
      const gone = withoutKnown(before.filter(isStill), seen);
      if (added.length + gone.length === 0) break;
      if (looks === maxLooks) return [{ text: describeChange(added, gone) }];
      await delay(lookInterval);
      const now = await look(livePage).catch(noComparison);
      for (const { place } of now ? withoutKnown(before, now) : []) changing.add(place);
      before = now;
    }
    return [];
  },
};

function describeChange(added: readonly Sighting[], gone: readonly Sighting[]): string {
  if (added.length === 0) return `removes what is not its own: ${textOf(gone)}`;
  return `${gone.length === 0 ? 'adds an element outside of its blocks' : 'changes what is not its own'}: ${textOf(added)}`;
}

function textOf(sightings: readonly Sighting[]): string {
  return summarizeList(sightings.map(({ text }) => text));
}

interface Place extends Sighting {
  /** Owner, and path in the document. */
  readonly place: string;
}

/**
 * One sighting for each element outside of the slots of the checked remotes. Its key holds position, size, texts, addresses and
 * styles, but not its path, so that one more element changes no other. Runs in the page, so it can use nothing from outside of the function.
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
  const sightingsIn = (element: Element, path: string, slotTop: number, slotOwner: string): Place[] => {
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
    const position = [box.left, box.width, box.height, offset].map(round);
    const key = [owner, element.localName, ...position, ...texts, ...targets, ...values].join('|');
    const label = element.textContent.trim().slice(0, 40);
    const text = `${element.localName} "${label}" of ${owner}`;
    return [{ key, place: `${owner}${path}`, text }, ...children];
  };
  return sightingsIn(document.body, '', 0, 'shell');
}
