import type { BrowserContext, Page } from '@playwright/test';

/**
 * Ends the splash as soon as every part that loads without being used is there, instead of after two seconds. Only its
 * timer is shortened: the page's clock stays real, and a part that never comes leaves the splash its full time.
 */
export async function endSplashEarly(visitor: BrowserContext | Page): Promise<void> {
  await visitor.addInitScript(() => {
    const setAnyTimeout = globalThis.setTimeout;
    const setSplashTimeout = (end: () => void, duration: number) => {
      globalThis.setTimeout = setAnyTimeout;
      const timer = setAnyTimeout(end, duration);
      const endWhenComplete = () => {
        // The components of mf-content load no code before they are used.
        const missing = document.querySelector(
          '[data-remote]:not([data-remote="mf-content"]):not([data-version])',
        );
        if (missing || document.readyState !== 'complete') return;
        observer.disconnect();
        clearTimeout(timer);
        end();
      };
      const observer = new MutationObserver(endWhenComplete);
      observer.observe(document, { subtree: true, attributeFilter: ['data-version'] });
      addEventListener('load', endWhenComplete, { once: true });
      return timer;
    };
    // The page ends the splash with the only timer whose function makes the page active again.
    globalThis.setTimeout = ((handler: TimerHandler, delay = 0, ...values: unknown[]) =>
      typeof handler === 'function' && String(handler).includes('inert')
        ? setSplashTimeout(handler as () => void, delay)
        : setAnyTimeout(handler, delay, ...values)) as typeof setTimeout;
  });
}
