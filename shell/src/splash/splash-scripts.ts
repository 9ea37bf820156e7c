import { rootElementId, splashElementId } from '../document/element-ids.ts';

/** How long the splash covers the page, in milliseconds since the document started. */
export const splashDuration = 2000;

/** Keeps the focus out of the page while the splash covers it. */
function beginSplash(rootId: string): void {
  const root = document.getElementById(rootId);
  if (root) root.inert = true;
}

/** Removes the splash when it has had its time. `performance.now()` counts from the document's start. */
function endSplash(splashId: string, rootId: string, duration: number): void {
  setTimeout(
    () => {
      document.getElementById(splashId)?.remove();
      document.getElementById(rootId)?.removeAttribute('inert');
    },
    Math.max(0, duration - performance.now()),
  );
}

/**
 * Source texts that are inlined in the HTML, so that the page appears even if the shell's script never comes. The
 * functions may use nothing from outside their own bodies.
 */
export const beginSplashScript = `(${beginSplash})("${rootElementId}")`;
export const endSplashScript = `(${endSplash})("${splashElementId}","${rootElementId}",${splashDuration})`;
