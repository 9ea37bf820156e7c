/** How long the overlay shows at most before the page is usable again, in milliseconds. */
export const navigationTimeout = 10_000; // blind spot: no step waits for the application, but an end-to-end test does.

/** State of the navigation to the login page, for `useSyncExternalStore`. */
export interface LoginNavigation {
  subscribe(listener: () => void): () => void;
  isPending(): boolean;
  /** Navigates to the login page. */
  start(): void;
}

/**
 * Navigates to the login page, and detects clicks on links to it. The navigation is pending until the page
 * unloads. It ends if the visitor presses Escape, after a timeout, or if the browser restores the page from its
 * back/forward cache. Call it once per page.
 */
// blind spot: the step that leaves the page ends it, but the tests of sign-in see it.
export function createLoginNavigation(login: string): LoginNavigation {
  const listeners = new Set<() => void>();
  let pending = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function set(next: boolean): void {
    pending = next;
    clearTimeout(timer);
    if (next) timer = setTimeout(() => set(false), navigationTimeout);
    for (const listener of listeners) listener();
  }

  document.addEventListener('click', (event) => {
    if (opensInThisTab(login, event)) set(true);
  });
  addEventListener('pageshow', ({ persisted }) => persisted && set(false));
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') set(false);
  });
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isPending: () => pending,
    start() {
      set(true);
      location.assign(login);
    },
  };
}

/** Whether a click navigates in this tab. With a modifier key or another target, the browser opens a new one. */
// blind spot: the step that leaves the page ends it, but the tests of sign-in see it.
function opensInThisTab(login: string, event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0) return false;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  return (
    link?.href === login && (link.target === '' || link.target === '_self') && !link.hasAttribute('download')
  );
}
