import { slotAttributes } from '@countersign/contracts/slot-markup';
import { laidOutAttribute, lazyLayoutAttribute } from '../page/element-ids.ts';

/** Attribute of the root element: the browser may skip sections far from the window, because it knows their heights. */
const heightsKnownAttribute = 'data-heights-known';

/** Each step updates the whole page, so one slot at a time would take twice as long in all. */
const slotsPerStep = 3;

/** The longest wait for an idle browser before each step, in milliseconds. */
const longestIdleWait = 200;

/** When the steps begin even if parts are still loading, in milliseconds since navigation start. */
const latestStart = 4000;

/** Between two looks whether parts hydrate, in milliseconds. */
const pollInterval = 50;

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

function whenIdle(step: () => void): void {
  // WebKit has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(step, { timeout: longestIdleWait });
  else setTimeout(step);
}

/** All at once where the layout is not deferred, or not any more, because the page has scrolled. */
function layOutInSteps(slots: readonly Element[], done: () => void): void {
  const left = [...slots];
  const step = () => {
    const isLazy = document.documentElement.hasAttribute(lazyLayoutAttribute);
    if (isLazy && isHydrating() && performance.now() < latestStart) {
      setTimeout(() => whenIdle(step), pollInterval);
      return;
    }
    for (const slot of left.splice(0, isLazy ? slotsPerStep : left.length))
      slot.setAttribute(laidOutAttribute, '');
    if (left.length > 0) whenIdle(step);
    else done();
  };
  whenIdle(step);
}

/** Whether a slot loads or hydrates. Those that wait for the visitor do not. */
function isHydrating(): boolean {
  const { state, version } = slotAttributes;
  return document.querySelector(`[${state}="loading"], [${state}="running"]:not([${version}])`) !== null;
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
