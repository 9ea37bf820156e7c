import { slotAttributes } from '@countersign/contracts/slot-markup';
import { laidOutAttribute } from '../page/element-ids.ts';

/** Attribute of the root element: the browser lays out sections when they come near the window (`page.css`). */
export const lazyLayoutAttribute = 'data-lazy-layout';

/** Attribute of the root element: the browser may skip sections far from the window, because it knows their heights. */
const heightsKnownAttribute = 'data-heights-known';

/**
 * Begins the layout with the first screen, so that the first paint does not wait for the whole page. Not where the
 * browser scrolls while it loads, because that needs the final height of the sections. Not in a hidden tab, which
 * paints nothing.
 */
function beginLazyLayout(lazy: string): void {
  const [navigation] = performance.getEntriesByType('navigation');
  if (navigation?.type !== 'navigate' || location.hash || document.hidden) return;
  document.documentElement.setAttribute(lazy, '');
}

/** Each step updates the whole page, so one slot at a time would take twice as long in all. */
const slotsPerStep = 3;

/** The longest wait for an idle browser before each step, in milliseconds. All steps end before the splash does. */
const longestIdleWait = 200;

/**
 * Lays out some slots after the others in idle time, and all at once as soon as the page scrolls: scroll positions and
 * targets are wrong as long as heights are guesses. Then lets the browser skip sections far from the window, while the
 * width of the window and the size of the text stay the same. Ends that when every section was on screen, because a
 * picture of the whole page shows skipped sections empty.
 */
function endLazyLayout(
  lazy: string,
  slotAttribute: string,
  laidOut: string,
  heightsKnown: string,
  slotsPerStep: number,
  timeout: number,
): void {
  const root = document.documentElement;
  const slots = [...document.querySelectorAll(`main [${slotAttribute}], main ~ [${slotAttribute}]`)];
  const unseen = new Set(slots.flatMap((slot) => [...slot.children]));
  let width = innerWidth;
  // WebKit has no idle callbacks.
  const whenIdle = (step: () => void) =>
    'requestIdleCallback' in window ? requestIdleCallback(step, { timeout }) : setTimeout(step);
  // The browser records heights at the end of a frame.
  const skipFarSections = () =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        whenIdle(() => {
          // Not while the visitor types: WebKit may lose the place of the caret.
          if (document.activeElement?.matches('input, textarea'))
            addEventListener('focusout', skipFarSections, { once: true });
          else if (unseen.size > 0) root.setAttribute(heightsKnown, '');
        }),
      ),
    );
  const layOutNext = () => {
    const isLazy = root.hasAttribute(lazy);
    for (const slot of slots.splice(0, isLazy ? slotsPerStep : slots.length)) slot.setAttribute(laidOut, '');
    if (slots.length > 0) {
      whenIdle(layOutNext);
      return;
    }
    root.removeAttribute(lazy);
    // Fonts change heights.
    void document.fonts.ready.then(skipFarSections);
  };
  requestAnimationFrame(() => whenIdle(layOutNext));
  addEventListener('scroll', () => root.removeAttribute(lazy), { once: true, passive: true });
  const layOutAgain = () => {
    if (!root.hasAttribute(heightsKnown)) return;
    root.removeAttribute(heightsKnown);
    skipFarSections();
  };
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    layOutAgain();
  });
  // The skip link has the same size in all windows. No event tells that the visitor's font size or text spacing changes.
  const skipLink = document.querySelector('.skip-link');
  if (skipLink) new ResizeObserver(layOutAgain).observe(skipLink);
  addEventListener('hashchange', () => {
    if (!root.hasAttribute(lazy)) return;
    root.removeAttribute(lazy);
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  });
  // Some privacy tools remove it. The scripts after this one must run.
  if (!('IntersectionObserver' in window)) return;
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) unseen.delete(target);
    if (unseen.size > 0) return;
    observer.disconnect();
    whenIdle(() => root.removeAttribute(heightsKnown));
  });
  for (const section of unseen) observer.observe(section);
}

/**
 * Source texts that are inlined in the HTML: at the top of the page, and after its last slot. The functions may use nothing
 * from outside their own bodies.
 */
export const beginLazyLayoutScript = `(${beginLazyLayout})("${lazyLayoutAttribute}")`;
export const endLazyLayoutScript = `(${endLazyLayout})("${lazyLayoutAttribute}","${slotAttributes.remote}","${laidOutAttribute}","${heightsKnownAttribute}",${slotsPerStep},${longestIdleWait})`;
