import { useEffect, type RefObject } from 'react';

/**
 * Closes what an element has opened once a resized window no longer shows that element. Whether it shows is the
 * stylesheet's business, so the width at which that happens stands there only.
 */
export function useCloseWhenHidden(opener: RefObject<HTMLElement | null>, open: boolean, close: () => void) {
  useEffect(() => {
    if (!open) return undefined;
    function closeIfHidden() {
      if (opener.current && getComputedStyle(opener.current).display === 'none') close();
    }
    window.addEventListener('resize', closeIfHidden);
    return () => window.removeEventListener('resize', closeIfHidden);
  }, [opener, open, close]);
}
