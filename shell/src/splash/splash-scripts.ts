import { slotAttributes } from '@countersign/contracts/slot-markup';
import { rootElementId, splashElementId } from '../page/element-ids.ts';
import { lazyLayoutAttribute } from './lazy-layout.ts';

/** Duration of the splash, in milliseconds since navigation start. */
export const splashDuration = 2000;

/** Makes the page inert while the splash covers it. */
function beginSplash(rootId: string): void {
  const root = document.getElementById(rootId);
  if (root) root.inert = true;
}

/** Slots that the first screen shows: header and hero. */
const firstScreenSlots = 2;

/** Slots that become usable in one step after the first screen. A step for all would block the page for twice as long. */
const slotsPerStep = 4;

/**
 * Removes the splash after its duration. `performance.now()` counts from navigation start. All sections are laid out
 * first, because links to sections and the scroll bar need their heights. The first screen becomes usable at once and
 * the other sections in the frames after it, because the browser updates the style of each element that stops being
 * inert.
 */
function endSplash(
  splashId: string,
  rootId: string,
  lazyLayout: string,
  slotAttribute: string,
  duration: number,
  firstScreenSlots: number,
  slotsPerStep: number,
): void {
  setTimeout(
    () => {
      // Read before the page changes, because it needs a layout that is up to date.
      const isScrolled = scrollY > 0;
      document.documentElement.removeAttribute(lazyLayout);
      document.getElementById(splashId)?.remove();
      const root = document.getElementById(rootId);
      if (!root) return;
      const later = [...root.querySelectorAll<HTMLElement>(`[${slotAttribute}]`)].slice(firstScreenSlots);
      const release = () => {
        for (const slot of later.splice(0, slotsPerStep)) slot.removeAttribute('inert');
        if (later.length > 0) setTimeout(release);
      };
      // The first screen of a page that is scrolled has other slots.
      if (!isScrolled) {
        for (const slot of later) slot.setAttribute('inert', '');
        requestAnimationFrame(() => setTimeout(release));
      }
      root.removeAttribute('inert');
    },
    Math.max(0, duration - performance.now()),
  );
}

/**
 * Inline scripts, so that the page appears even if the shell's script fails to load. The functions must not use
 * anything outside their bodies.
 */
export const beginSplashScript = `(${beginSplash})("${rootElementId}")`;
export const endSplashScript = `(${endSplash})("${splashElementId}","${rootElementId}","${lazyLayoutAttribute}","${slotAttributes.remote}",${splashDuration},${firstScreenSlots},${slotsPerStep})`;
