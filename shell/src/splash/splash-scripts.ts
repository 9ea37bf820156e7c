import { rootElementId, splashElementId } from '../page/element-ids.ts';
import { lazyLayoutAttribute } from './lazy-layout.ts';

/** Duration of the splash, in milliseconds since navigation start. */
export const splashDuration = 2000;

/** Makes the page inert while the splash covers it. */
function beginSplash(rootId: string): void {
  const root = document.getElementById(rootId);
  if (root) root.inert = true;
}

/**
 * Removes the splash after its duration. `performance.now()` counts from navigation start. All sections are laid out
 * first, because links to sections and the scroll bar need their heights.
 */
function endSplash(splashId: string, rootId: string, lazyLayout: string, duration: number): void {
  setTimeout(
    () => {
      document.documentElement.removeAttribute(lazyLayout);
      document.getElementById(splashId)?.remove();
      document.getElementById(rootId)?.removeAttribute('inert');
    },
    Math.max(0, duration - performance.now()),
  );
}

/**
 * Inline scripts, so that the page appears even if the shell's script fails to load. The functions must not use
 * anything outside their bodies.
 */
export const beginSplashScript = `(${beginSplash})("${rootElementId}")`;
export const endSplashScript = `(${endSplash})("${splashElementId}","${rootElementId}","${lazyLayoutAttribute}",${splashDuration})`;
