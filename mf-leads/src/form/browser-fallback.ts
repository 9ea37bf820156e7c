import { useEffect, useEffectEvent } from 'react';

/** How long a submit waits for the logic before the browser sends the form, in milliseconds. */
const logicTimeout = 10_000;

/** How long the form waits for the page that answers the browser's own request, in milliseconds. */
const navigationTimeout = 30_000;

interface TimeoutCallbacks {
  /** @param isFirst whether the submit has waited for one time limit only */
  onTimeout(isFirst: boolean): void;
  /** The network is back. The wait begins again. */
  onOnline(): void;
}

/** Calls back each time a submit has waited too long for the logic. */
export function useLogicTimeout(isWaiting: boolean, callbacks: TimeoutCallbacks): void {
  const onTimeout = useEffectEvent(callbacks.onTimeout);
  const onOnline = useEffectEvent(callbacks.onOnline);
  useEffect(() => {
    if (!isWaiting) return;
    const wait = () => {
      let isFirst = true;
      return setInterval(() => {
        onTimeout(isFirst);
        isFirst = false;
      }, logicTimeout);
    };
    let timer = wait();
    const waitAgain = () => {
      onOnline();
      clearInterval(timer);
      timer = wait();
    };
    addEventListener('online', waitAgain);
    return () => {
      clearInterval(timer);
      removeEventListener('online', waitAgain);
    };
  }, [isWaiting]);
}

/** Calls back if the page is still there, or there again, after the browser has sent the form. */
export function useReturn(isLeaving: boolean, callback: (isBack: boolean) => void): void {
  const onReturn = useEffectEvent(callback);
  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => onReturn(false), navigationTimeout);
    // Back may return to this page as it was.
    const restored = ({ persisted }: PageTransitionEvent) => {
      if (persisted) onReturn(true);
    };
    addEventListener('pageshow', restored);
    return () => {
      clearTimeout(timer);
      removeEventListener('pageshow', restored);
    };
  }, [isLeaving]);
}

/** Whether the visitor fills in another form of the page. */
export function isInOtherForm(form: HTMLFormElement | null): boolean {
  const focused = document.activeElement?.closest('form');
  return focused != null && focused !== form;
}
