import { useCallback, useEffect, useState } from 'react';

/** How long the page waits for the next one before it shows itself again, in milliseconds. */
export const departureLimit = 10_000;

/**
 * Leaves the page for another address. `departing` holds from then on until the browser is gone, and ends when the
 * visitor stops the navigation, when it takes too long, or when the browser brings the page back from its cache.
 */
export function useDeparture(): readonly [departing: boolean, depart: (address: URL) => void] {
  const [departing, setDeparting] = useState(false);

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

  const depart = useCallback((address: URL) => {
    setDeparting(true);
    location.assign(address);
  }, []);
  return [departing, depart];
}
