import type { PartName } from '@countersign/contracts/remotes';
import type { BrowserContext, Page } from '@playwright/test';

/** Global variable with the name of the part that the splash does not wait for. */
const latePartGlobal = 'latePart';

/**
 * Lets {@link endSplashEarly} end the splash without the code of a part, which a test delays or breaks, and without the page's
 * `load` event, which comes after that code. Without the shell, no part has code.
 */
export async function endSplashWithout(page: Page, part: PartName): Promise<void> {
  await page.addInitScript(([name, value]) => Object.assign(globalThis, { [name]: value }), [
    latePartGlobal,
    part,
  ] as const);
}

/**
 * Ends the splash as soon as every part that loads without being used is there, instead of after two seconds. Only its
 * timer is shortened: the page's clock stays real, and a part that never comes leaves the splash its full time.
 */
export async function endSplashEarly(visitor: BrowserContext | Page): Promise<void> {
  await visitor.addInitScript((latePart) => {
    const setAnyTimeout = globalThis.setTimeout;
    const setSplashTimeout = (end: () => void, duration: number) => {
      globalThis.setTimeout = setAnyTimeout;
      const timer = setAnyTimeout(end, duration);
      let ended = false;
      const endWhenComplete = () => {
        const late = Reflect.get(globalThis, latePart) as string | undefined;
        // The components of mf-content load no code before they are used.
        const missing = document.querySelector(
          `[data-remote]:not([data-remote="mf-content"]):not([data-remote="${late}"]):not([data-version])`,
        );
        if ((missing && late !== 'shell') || document.readyState === 'loading') return;
        if (ended || (!late && document.readyState !== 'complete')) return;
        ended = true;
        observer.disconnect();
        clearTimeout(timer);
        end();
      };
      const observer = new MutationObserver(endWhenComplete);
      observer.observe(document, { subtree: true, attributeFilter: ['data-version'] });
      addEventListener('DOMContentLoaded', endWhenComplete, { once: true });
      addEventListener('load', endWhenComplete, { once: true });
      return timer;
    };
    // The page ends the splash with the only timer whose function makes the page active again.
    globalThis.setTimeout = ((handler: TimerHandler, delay = 0, ...values: unknown[]) =>
      typeof handler === 'function' && String(handler).includes('inert')
        ? setSplashTimeout(handler as () => void, delay)
        : setAnyTimeout(handler, delay, ...values)) as typeof setTimeout;
  }, latePartGlobal);
}
