import { slotAttributes } from '@countersign/contracts/page-markup';
import { heightsKnownAttribute, lazyLayoutAttribute } from '../page/element-ids.ts';

/** The longest wait for an idle browser, in milliseconds. */
const longestIdleWait = 200;

/** Interval between checks whether parts hydrate, in milliseconds. */
const pollInterval = 50;

/**
 * Lays out the sections below the first screen once the parts that load early are hydrated. From then on, their real heights are known,
 * and the browser may skip those far from the window (`content-visibility`). Another width of the window, or another size of the
 * text, lays all of them out again. Call it once per page.
 */
export function skipFarSections(): void {
  const root = document.documentElement;
  const skip = () => whenHeightsAreKnown(() => root.setAttribute(heightsKnownAttribute, ''));
  const layOut = () => {
    // The end of the splash removes the attribute, even if a part still loads.
    if (root.hasAttribute(lazyLayoutAttribute) && isHydrating()) {
      setTimeout(layOut, pollInterval);
      return;
    }
    root.removeAttribute(lazyLayoutAttribute);
    // Fonts change heights.
    void document.fonts.ready.then(skip);
  };
  whenIdle(layOut);
  watchSizes(() => {
    // Heights that are not known yet cannot change. The observer calls back when it begins, too.
    if (!root.hasAttribute(heightsKnownAttribute)) return;
    root.removeAttribute(heightsKnownAttribute);
    skip();
  });
}

/** Whether a slot loads or hydrates. Those that wait for the visitor do not. */
function isHydrating(): boolean {
  const { state, version } = slotAttributes;
  return document.querySelector(`[${state}="loading"], [${state}="running"]:not([${version}])`) !== null;
}

/** Calls back when the browser has recorded the heights, which it does at the end of a frame (`contain-intrinsic-height: auto`). */
function whenHeightsAreKnown(then: () => void): void {
  const whenNotTyping = () => {
    // WebKit may lose the place of the caret when sections are skipped.
    if (document.activeElement?.matches('input, textarea'))
      addEventListener('focusout', () => whenHeightsAreKnown(then), { once: true });
    else then();
  };
  requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(whenNotTyping)));
}

function whenIdle(step: () => void): void {
  // WebKit has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(step, { timeout: longestIdleWait });
  else setTimeout(step);
}

/** Calls back when the width of the window, the visitor's font size or the text spacing changes. */
function watchSizes(onChange: () => void): void {
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    onChange();
  });
  // The skip link's size depends on the text alone. No event tells that the size of the text changes.
  const skipLink = document.querySelector('.skip-link');
  if (skipLink) new ResizeObserver(onChange).observe(skipLink);
}
