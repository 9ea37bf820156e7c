import { brand } from '@countersign/contracts/brand';
import { slotAttributes } from '@countersign/contracts/slot-markup';
import { loadingStatusElementId, rootElementId, splashElementId } from '../page/element-ids.ts';
import { lazyLayoutAttribute } from './lazy-layout.ts';

/** Duration of the splash, in milliseconds since navigation start. */
export const splashDuration = 2000;

/** How long the message that the page is ready stays in the page, in milliseconds. */
const readyMessageDuration = 5000;

/** Makes the page inert while the splash covers it. Screen readers announce only changes, so the message comes later. */
function beginSplash(rootId: string, statusId: string): void {
  const root = document.getElementById(rootId);
  if (root) root.inert = true;
  requestAnimationFrame(() => {
    const status = document.getElementById(statusId);
    if (status && root?.inert) status.textContent = 'Loading...';
  });
}

/** Slots that the first screen shows: header and hero. */
const firstScreenSlots = 2;

/** Slots that become usable in one step after the first screen. */
const slotsPerStep = 4;

interface SplashEnd {
  readonly splashId: string;
  readonly rootId: string;
  readonly statusId: string;
  readonly ready: string;
  readonly lazyLayout: string;
  readonly slotAttribute: string;
  readonly duration: number;
  readonly readyDuration: number;
  readonly firstScreenSlots: number;
  readonly slotsPerStep: number;
}

/**
 * Removes the splash after its duration. `performance.now()` counts from navigation start. All sections are laid out
 * first, because links to sections and the scroll bar need their heights. The first screen becomes usable at once and
 * the other sections in the frames after it, because the browser updates the style of each element that stops being
 * inert.
 */
function endSplash(end: SplashEnd): void {
  setTimeout(
    () => {
      // Read before the page changes, because it needs a layout that is up to date.
      const isScrolled = scrollY > 0;
      document.documentElement.removeAttribute(end.lazyLayout);
      document.getElementById(end.splashId)?.remove();
      const root = document.getElementById(end.rootId);
      const slots = root?.querySelectorAll(`[${end.slotAttribute}]`) ?? [];
      const later = [...slots].slice(end.firstScreenSlots);
      const release = () => {
        for (const slot of later.splice(0, end.slotsPerStep)) slot.removeAttribute('inert');
        if (later.length > 0) setTimeout(release);
      };
      // The first screen of a page that is scrolled has other slots.
      if (!isScrolled) {
        for (const slot of later) slot.setAttribute('inert', '');
        requestAnimationFrame(() => setTimeout(release));
      }
      root?.removeAttribute('inert');
      const status = document.getElementById(end.statusId);
      if (!status) return;
      status.textContent = end.ready;
      setTimeout(() => status.remove(), end.readyDuration);
    },
    Math.max(0, end.duration - performance.now()),
  );
}

const splashEnd: SplashEnd = {
  splashId: splashElementId,
  rootId: rootElementId,
  statusId: loadingStatusElementId,
  ready: `${brand} is ready`,
  lazyLayout: lazyLayoutAttribute,
  slotAttribute: slotAttributes.remote,
  duration: splashDuration,
  readyDuration: readyMessageDuration,
  firstScreenSlots,
  slotsPerStep,
};

/**
 * Inline scripts, so that the page appears even if the shell's script fails to load. The functions must not use
 * anything outside their bodies.
 */
export const beginSplashScript = `(${beginSplash})("${rootElementId}","${loadingStatusElementId}")`;
export const endSplashScript = `(${endSplash})(${JSON.stringify(splashEnd)})`;
