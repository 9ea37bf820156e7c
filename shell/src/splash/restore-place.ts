/** Key in `sessionStorage` of the place where the visitor left the page. */
const placeStorageKey = 'place';

/**
 * Restores the place in the page after a reload and after Back. Browsers do so themselves, but Chromium stores the place
 * up to a second late, so a visitor who scrolls and leaves at once would come back to another place.
 */
function restorePlace(storageKey: string): void {
  // Identifies the entry in the history. Browsers without this API store the place in time.
  const entry = () => window.navigation?.currentEntry?.key;
  if (!entry()) return;
  const [page] = performance.getEntriesByType('navigation');
  try {
    const place = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as { entry?: string; top: number };
    if (page?.type !== 'navigate' && place.entry === entry()) {
      history.scrollRestoration = 'manual';
      scrollTo({ top: place.top, behavior: 'instant' });
      const resetMode = () => {
        history.scrollRestoration = 'auto';
      };
      // The browser would restore its own, late place right after the event. A task later it no longer does.
      addEventListener('load', () => setTimeout(resetMode));
      // Each entry keeps its mode, so this one must not be left before the event with the mode `manual`.
      window.navigation?.addEventListener('navigate', resetMode, { once: true });
    }
    // One place is enough: reload, and Back from another site, come to the entry that the visitor has left last.
    addEventListener('pagehide', () =>
      sessionStorage.setItem(storageKey, JSON.stringify({ entry: entry(), top: scrollY })),
    );
  } catch {
    // If storage is blocked, the browser restores the place alone.
  }
}

/** Inline script after the last slot, where the page has its full height. The function must not use anything outside its body. */
export const restorePlaceScript = `(${restorePlace})("${placeStorageKey}")`;
