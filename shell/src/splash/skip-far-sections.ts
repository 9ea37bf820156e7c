import { slotAttributes } from '@countersign/contracts/slot-markup';
import { lazyLayoutAttribute } from '../page/element-ids.ts';
import { layOutInSteps, whenIdle } from './lay-out-in-steps.ts';

/**
 * Attribute of the root element, for `page.css`: the browser may skip sections far from the window, because it knows their heights.
 * Missing until then, while sizes change, and when every section was on screen.
 */
const heightsKnownAttribute = 'data-heights-known';

/**
 * Lays out the sections of which the page has deferred the layout, some after the others, when the parts that load early are
 * hydrated. Then lets the browser skip sections far from the window (`content-visibility`), at their real heights, while the
 * width of the window and the size of the text stay the same. Ends that when every section was on screen: from then on, a
 * picture of the whole page must not show skipped sections empty. Call it once per page, after the slots have begun to fill.
 */
export function skipFarSections(): void {
  const root = document.documentElement;
  // In `main`, and after it, such as the footer. A slot has no box of its own; its children have.
  const selector = `main [${slotAttributes.remote}], main ~ [${slotAttributes.remote}]`;
  const slots = [...document.querySelectorAll(selector)];
  // Sections that were not on screen yet. Empty: nothing is skipped any more.
  const unseen = new Set(slots.flatMap((slot) => [...slot.children]));
  const skip = () => {
    if (unseen.size > 0) root.setAttribute(heightsKnownAttribute, '');
  };
  // Present: the page has deferred the layout. From now on the steps decide what is laid out, not the window.
  if (root.hasAttribute(lazyLayoutAttribute)) root.setAttribute(lazyLayoutAttribute, 'steps');
  layOutInSteps(slots, () => {
    root.removeAttribute(lazyLayoutAttribute);
    // Fonts change heights.
    void document.fonts.ready.then(() => whenHeightsAreKnown(skip));
  });
  watchSizes(() => {
    // Also the first call, when the observer begins.
    if (!root.hasAttribute(heightsKnownAttribute)) return;
    root.removeAttribute(heightsKnownAttribute);
    whenHeightsAreKnown(skip);
  });
  watchSections(unseen, () => whenIdle(() => root.removeAttribute(heightsKnownAttribute)));
}

/** The browser records heights at the end of a frame (`contain-intrinsic-height: auto`). */
function whenHeightsAreKnown(then: () => void): void {
  const whenNotTyping = () => {
    // WebKit may lose the place of the caret.
    if (document.activeElement?.matches('input, textarea'))
      addEventListener('focusout', () => whenHeightsAreKnown(then), { once: true });
    else then();
  };
  requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(whenNotTyping)));
}

/** Calls back when the width of the window, the visitor's font size or the text spacing changes. */
function watchSizes(onChange: () => void): void {
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    onChange();
  });
  // The skip link has the same size in all windows. No event tells that the size of the text changes.
  const skipLink = document.querySelector('.skip-link');
  if (skipLink) new ResizeObserver(onChange).observe(skipLink);
}

/** Removes each section from the set when it is on screen, and calls back when there is none left. */
function watchSections(unseen: Set<Element>, onAllSeen: () => void): void {
  // Some privacy tools remove it.
  if (!('IntersectionObserver' in window)) return;
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) unseen.delete(target);
    if (unseen.size > 0) return;
    observer.disconnect();
    onAllSeen();
  });
  for (const section of unseen) observer.observe(section);
}
