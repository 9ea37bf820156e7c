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
 * Ends the splash as soon as every part that loads without being used is there, instead of after two seconds. If a part
 * never loads, the splash lasts its full time.
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

/**
 * Waits until the splash is gone and every section is usable, which takes some frames more. A key press before that is lost,
 * because Playwright does not wait for an element that cannot have the focus yet.
 */
export async function splashEnd(page: Page): Promise<void> {
  await page.locator('#splash').waitFor({ state: 'detached' });
  await page.locator('#root[inert], #root [inert]').first().waitFor({ state: 'detached' });
}

/** Opens the landing page, ends its splash early and waits for the end. */
export async function openPage(page: Page, url: string): Promise<void> {
  await endSplashEarly(page);
  await page.goto(url);
  await splashEnd(page);
}
