import { useCallback, useEffect, useState } from 'react';

/** How long the page waits for the next one before it shows itself again, in milliseconds. */
export const departureLimit = 10_000;

/**
 * Leaves the page for the login page: through `depart`, or through any link to it. `departing` holds from then on until
 * the browser is gone, and ends when the visitor stops the navigation, when it takes too long, or when the browser brings
 * the page back from its cache.
 */
export function useDeparture(login: string): readonly [departing: boolean, depart: () => void] {
  const [departing, setDeparting] = useState(false);

  useEffect(() => {
    const follow = (event: MouseEvent) => {
      if (leavesFor(login, event)) setDeparting(true);
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [login]);

  useEffect(() => {
    if (!departing) return;
    const stay = () => setDeparting(false);
    const stayOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && stay();
    const timer = setTimeout(stay, departureLimit);
    addEventListener('pageshow', stay);
    addEventListener('keydown', stayOnEscape);
    return () => {
      clearTimeout(timer);
      removeEventListener('pageshow', stay);
      removeEventListener('keydown', stayOnEscape);
    };
  }, [departing]);

  const depart = useCallback(() => {
    setDeparting(true);
    location.assign(login);
  }, [login]);
  return [departing, depart];
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
