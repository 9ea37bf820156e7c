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
 * Ends the splash as soon as every part that loads without being used is there, instead of after two seconds. A part that never
 * comes leaves the splash its full time.
 */
export async function endSplashEarly(visitor: BrowserContext | Page): Promise<void> {
  await visitor.addInitScript((latePart) => {
    // Other documents are sandboxed, and the browser reports each script in them.
    if (document.contentType !== 'text/html') return;
    const endWhenComplete = () => {
      const late = Reflect.get(globalThis, latePart) as string | undefined;
      // The components of mf-content load no code before they are used.
      const missing = document.querySelector(
        `[data-remote]:not([data-remote="mf-content"]):not([data-remote="${late}"]):not([data-version])`,
      );
      if ((missing && late !== 'shell') || document.readyState === 'loading') return;
      if (!late && document.readyState !== 'complete') return;
      observer.disconnect();
      dispatchEvent(new Event('end-splash'));
    };
    const observer = new MutationObserver(endWhenComplete);
    observer.observe(document, { subtree: true, attributeFilter: ['data-version'] });
    addEventListener('DOMContentLoaded', endWhenComplete, { once: true });
    addEventListener('load', endWhenComplete, { once: true });
  }, latePartGlobal);
}
