import { brand } from '@countersign/contracts/brand';
import { slotAttributes } from '@countersign/contracts/page-markup';
import {
  lazyLayoutAttribute,
  loadingStatusElementId,
  rootElementId,
  splashElementId,
} from '../page/element-ids.ts';

/** Duration of the splash, in milliseconds since navigation start. */
const splashDuration = 2000;

/** The splash ends even if the hero has not arrived by then, in milliseconds since navigation start. */
const longestSplash = 8000;

/** How long the message that the page is ready stays in the page, in milliseconds. */
const readyMessageDuration = 5000;

/** Slots that the first screen shows: header and hero. */
const firstScreenSlots = 2;

/** Minimum of the slots below the first screen that become usable in one step. A step covers a quarter of those left if that is more. */
const minSlotsPerStep = 4;

/** Event on `window` that ends the splash before its duration. The pre-deploy check and end-to-end tests dispatch it by this name. */
const endSplashEvent = 'end-splash';

/** Parameters of the inline script, in the order in which {@link runSplash} reads them. Names of properties would make the page larger. */
const splash = [
  splashElementId,
  rootElementId,
  loadingStatusElementId,
  `${brand} is ready`,
  lazyLayoutAttribute,
  slotAttributes.remote,
  splashDuration,
  longestSplash,
  readyMessageDuration,
  firstScreenSlots,
  minSlotsPerStep,
  endSplashEvent,
] as const;

/**
 * Makes the page inert while the splash covers it, and removes the splash after its duration. The script is at the top of the
 * page, because the rest of the HTML may be slow or never arrive: the splash then waits for the hero only, for a limited time.
 * The first paint waits for the layout of the first screen only, and the rest is laid out when the shell is idle.
 * The first screen becomes usable at once and the other sections in steps after it, because the browser updates the style of
 * each element that stops being inert.
 */
function runSplash([
  splashId,
  rootId,
  statusId,
  ready,
  lazyLayout,
  slotAttribute,
  duration,
  longest,
  readyDuration,
  firstScreenCount,
  minPerStep,
  endEvent,
]: typeof splash): void {
  const root = document.getElementById(rootId);
  const status = document.getElementById(statusId);
  root?.setAttribute('inert', '');
  const page = document.documentElement;
  // Where the browser scrolls while it loads, it needs the final heights.
  const [navigation] = performance.getEntriesByType('navigation');
  if (navigation?.type === 'navigate' && !location.hash) page.setAttribute(lazyLayout, '');
  // Screen readers announce only changes.
  requestAnimationFrame(() => {
    if (status && root?.hasAttribute('inert')) status.textContent = 'Loading...';
  });
  const endSplash = () => {
    const firstScreen = [...(root?.querySelectorAll(`[${slotAttribute}]`) ?? [])];
    const below = firstScreen.splice(firstScreenCount);
    // A slot is complete when the parser has added what follows it.
    const hasHero = firstScreen[firstScreenCount - 1]?.nextSibling || document.readyState !== 'loading';
    if (!hasHero && performance.now() < longest) {
      setTimeout(endSplash, 100);
      return;
    }
    // Read before the page changes, because it needs a layout that is up to date.
    const isScrolled = scrollY > 0;
    page.removeAttribute(lazyLayout);
    document.getElementById(splashId)?.remove();
    const enableInSteps = () => {
      for (const slot of below.splice(0, Math.max(minPerStep, below.length / 4)))
        slot.removeAttribute('inert');
      if (below.length > 0) setTimeout(enableInSteps);
    };
    // A page that is scrolled shows other slots, so all become usable at once.
    if (!isScrolled) {
      for (const slot of below) slot.setAttribute('inert', '');
      requestAnimationFrame(() => setTimeout(enableInSteps));
    }
    root?.removeAttribute('inert');
    if (!status) return;
    status.textContent = ready;
    setTimeout(() => status.remove(), readyDuration);
  };
  const timer = setTimeout(endSplash, Math.max(0, duration - performance.now()));
  addEventListener(
    endEvent,
    () => {
      clearTimeout(timer);
      endSplash();
    },
    { once: true },
  );
}

/** Inline script at the top of the page. The function must not use anything outside its body. */
export const splashScript = `(${runSplash})(${JSON.stringify(splash)})`;
