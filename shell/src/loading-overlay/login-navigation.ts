/** How long the page waits for the next one before it shows itself again, in milliseconds. */
export const departureLimit = 10_000;

/** Whether the browser is on its way to the login page, for `useSyncExternalStore`. */
export interface Departure {
  subscribe(listener: () => void): () => void;
  isDeparting(): boolean;
  /** Leaves the page. */
  depart(): void;
}

/**
 * Leaves the page for the login page: through `depart`, or through any link to it. It is departing from then on until
 * the browser is gone, and ends when the visitor stops the navigation, when it takes too long, or when the browser brings
 * the page back from its cache. Call it once per page.
 */
export function createDeparture(login: string): Departure {
  const listeners = new Set<() => void>();
  let departing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function set(next: boolean): void {
    departing = next;
    clearTimeout(timer);
    if (next) timer = setTimeout(() => set(false), departureLimit);
    for (const listener of listeners) listener();
  }

  document.addEventListener('click', (event) => {
    if (leavesFor(login, event)) set(true);
  });
  addEventListener('pageshow', () => set(false));
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') set(false);
  });
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isDeparting: () => departing,
    depart() {
      set(true);
      location.assign(login);
    },
  };
}

/** Whether a click makes this tab leave. With a modifier key or another target, the browser opens a new one. */
function leavesFor(login: string, event: MouseEvent): boolean {
  if (event.defaultPrevented || event.button !== 0) return false;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  return (
    link?.href === login && (link.target === '' || link.target === '_self') && !link.hasAttribute('download')
  );
}
