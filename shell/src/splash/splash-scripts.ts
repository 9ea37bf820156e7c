import { brand } from '@countersign/contracts/brand';
import { slotAttributes } from '@countersign/contracts/slot-markup';
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

/** Slots that become usable in one step after the first screen: at least so many, or a quarter of those that are left. */
const slotsPerStep = 4;

/** Event on `window` that ends the splash at once. Tests dispatch it, so that they need not wait. */
const endSplashEvent = 'end-splash';

/** Parameters of the inline script: an array, because names of properties would be part of the page. */
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
  slotsPerStep,
  endSplashEvent,
] as const;

/**
 * Makes the page inert while the splash covers it, and removes the splash after its duration. The script is at the top of the
 * page, because the rest of the HTML may be slow or never arrive: the splash then waits for the hero only, for a limited time.
 * The first screen becomes
 * usable at once and the other sections in the frames after it, because the browser updates the style of each element that
 * stops being inert.
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
  inFirstScreen,
  perStep,
  endEvent,
]: typeof splash): void {
  const root = document.getElementById(rootId);
  const status = document.getElementById(statusId);
  root?.setAttribute('inert', '');
  // Screen readers announce only changes.
  requestAnimationFrame(() => {
    if (status && root?.hasAttribute('inert')) status.textContent = 'Loading...';
  });
  const end = () => {
    const slots = [...(root?.querySelectorAll(`[${slotAttribute}]`) ?? [])];
    const later = slots.splice(inFirstScreen);
    // A slot is complete when the parser has added what follows it.
    const hasHero = slots[inFirstScreen - 1]?.nextSibling || document.readyState !== 'loading';
    if (!hasHero && performance.now() < longest) {
      setTimeout(end, 100);
      return;
    }
    // Read before the page changes, because it needs a layout that is up to date.
    const isScrolled = scrollY > 0;
    const page = document.documentElement;
    // Without the shell's script, nothing else lays out the other sections.
    if (page.getAttribute(lazyLayout) === '') page.removeAttribute(lazyLayout);
    document.getElementById(splashId)?.remove();
    const release = () => {
      for (const slot of later.splice(0, Math.max(perStep, later.length / 4))) slot.removeAttribute('inert');
      if (later.length > 0) setTimeout(release);
    };
    // The first screen of a page that is scrolled has other slots.
    if (!isScrolled) {
      for (const slot of later) slot.setAttribute('inert', '');
      requestAnimationFrame(() => setTimeout(release));
    }
    root?.removeAttribute('inert');
    if (!status) return;
    status.textContent = ready;
    setTimeout(() => status.remove(), readyDuration);
  };
  const timer = setTimeout(end, Math.max(0, duration - performance.now()));
  addEventListener(
    endEvent,
    () => {
      clearTimeout(timer);
      end();
    },
    { once: true },
  );
}

/** Inline script at the top of the page. The function must not use anything outside its body. */
export const splashScript = `(${runSplash})(${JSON.stringify(splash)})`;
