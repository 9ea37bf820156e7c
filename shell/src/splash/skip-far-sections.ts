import { slotAttributes } from '@countersign/contracts/slot-markup';
import { lazyLayoutAttribute } from '../page/element-ids.ts';
import { layOutInSteps, whenIdle } from './lay-out-in-steps.ts';

/** Attribute of the root element: the browser may skip sections far from the window, because it knows their heights. */
const heightsKnownAttribute = 'data-heights-known';

/**
 * Lays out the sections of which the page has deferred the layout, some after the others, when the parts that load early are
 * hydrated. Then lets the browser skip sections far from the window (`content-visibility`), at their real heights, while the
 * width of the window and the size of the text stay the same. Ends that when every section was on screen, because a picture
 * of the whole page shows skipped sections empty. Call it once per page, after the slots have begun to fill.
 */
export function skipFarSections(): void {
  const root = document.documentElement;
  const selector = `main [${slotAttributes.remote}], main ~ [${slotAttributes.remote}]`;
  const slots = [...document.querySelectorAll(selector)];
  const unseen = new Set(slots.flatMap((slot) => [...slot.children]));
  const skip = () => {
    if (unseen.size > 0) root.setAttribute(heightsKnownAttribute, '');
  };
  if (root.hasAttribute(lazyLayoutAttribute)) root.setAttribute(lazyLayoutAttribute, 'steps');
  layOutInSteps(slots, () => {
    root.removeAttribute(lazyLayoutAttribute);
    // Fonts change heights.
    void document.fonts.ready.then(() => whenHeightsAreKnown(skip));
  });
  watchSizes(() => {
    if (!root.hasAttribute(heightsKnownAttribute)) return;
    root.removeAttribute(heightsKnownAttribute);
    whenHeightsAreKnown(skip);
  });
  watchSections(unseen, () => whenIdle(() => root.removeAttribute(heightsKnownAttribute)));
}

/** The browser records heights at the end of a frame. */
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
