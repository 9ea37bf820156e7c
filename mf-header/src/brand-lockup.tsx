import { brand } from '@countersign/contracts/brand';
import type { MouseEvent } from 'react';
import styles from './brand-lockup.module.css';

/** The logo. It leads to the top without loading the page again, and keeps the focus, so that Tab goes on to the navigation. */
export function BrandLockup() {
  return (
    <a className={styles.lockup} href="/" onClick={scrollToTop}>
      {/* blind spot: cosmetic, a decoration. */}
      <svg className={styles.mark} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path className={styles.ring} d="M22.6 7.1A11 11 0 1 0 22.6 24.9" />
        <path
          className={styles.stroke}
          d="M10.2 20.6c2.2-8 5.6-11 6.1-6.6.4 3.8-.2 6.6 2 5.2 2-1.2 1.6-5 4.4-5 1.6 0 3.2.4 6.8-.6"
        />
      </svg>
      {brand}
    </a>
  );
}

function scrollToTop(event: MouseEvent) {
  // With a modifier key, the browser opens a new tab or window. On a page with another path, it loads `/`.
  // blind spot (&&, → false): no step holds a key while it presses, but the tests of this part do.
  if (event.metaKey || event.ctrlKey || event.shiftKey || location.pathname !== '/') return;
  event.preventDefault();
  // blind spot: cosmetic, how it scrolls.
  const prefersReducedMotion = matchMedia('(prefers-reduced-motion: reduce)').matches;
  // blind spot (smooth, prefersReducedMotion →): cosmetic, how it scrolls.
  scrollTo({ top: 0, behavior: prefersReducedMotion ? 'auto' : 'smooth' });
  // blind spot (location.hash, without): cosmetic, because only the address differs.
  if (location.hash) history.pushState(null, '', location.pathname + location.search);
}
