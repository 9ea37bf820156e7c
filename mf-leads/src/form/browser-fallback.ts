// blind spot: no step waits for ten seconds, or lacks a network or a consent, but tests of the form do.
import { consentField } from '@countersign/contracts/lead-form';
import { useEffect, useEffectEvent } from 'react';

/** How long a submit waits for the logic before the browser sends the form, in milliseconds. */
const logicTimeout = 10_000;

/** How long the form waits for the page that answers the browser's own request, in milliseconds. */
const navigationTimeout = 30_000;

/** Calls back again and again while a submit waits, because the form waits a second time while the browser is offline. */
export function useLogicTimeout(isWaiting: boolean, onTimeout: () => void): void {
  const callback = useEffectEvent(onTimeout);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => callback(), logicTimeout);
    return () => clearInterval(timer);
  }, [isWaiting]);
}

/** Calls back if the page is still there, or there again, after the browser has sent the form. */
export function useReturnToPage(isLeaving: boolean, callback: () => void): void {
  const onReturn = useEffectEvent(callback);
  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => onReturn(), navigationTimeout);
    // Back may restore this page from the back/forward cache.
    const restored = ({ persisted }: PageTransitionEvent) => {
      if (persisted) onReturn();
    };
    addEventListener('pageshow', restored);
    return () => {
      clearTimeout(timer);
      removeEventListener('pageshow', restored);
    };
  }, [isLeaving]);
}

/** Whether the box of a required consent is not ticked. If so, the browser shows its message beside the box. */
export function lacksConsent(form: HTMLFormElement | null): boolean {
  const box = form?.elements.namedItem(consentField);
  return box instanceof HTMLInputElement && !box.reportValidity();
}
