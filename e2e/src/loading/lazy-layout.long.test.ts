import type { Page } from '@playwright/test';
import { expectScrolledTo } from '../checks/expect-scrolled-to.ts';
import { entryBundle, networkFaults, splashEnd } from '../driver/open-page.ts';
import { expect, test } from '../site/page-test.ts';

// `data-lazy-layout`: the layout of sections below the window is deferred. `data-heights-known`: all are laid out, and the browser may
// skip those far from the window. Sections are tall on a phone, so wrong estimates of their heights would show.
test.use({ viewport: { width: 390, height: 844 }, fullSplash: true });

/** Slows the CPU down to that of a cheap phone. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

/** Unlike {@link splashEnd}, does not wait until the page can be used. */
const splashIsGone = (page: Page) => page.locator('#splash').waitFor({ state: 'detached' });

test('lazy layout: a link clicked right after the splash leads to its section', async ({ page, site }) => {
  await slowDown(page);
  // Clicks in the task that ends the splash.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.body || document.getElementById('splash') || !document.getElementById('contact')) return;
      observer.disconnect();
      document.querySelector<HTMLAnchorElement>('a[href="#contact"]')?.click();
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(site.url);
  await expectScrolledTo(page, 'contact');
  expect(await page.locator('html').getAttribute('data-lazy-layout')).toBeNull();
});

test('lazy layout: a hash that changes during the splash leads to its section', async ({ page, site }) => {
  await slowDown(page);
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => (location.hash = '#contact'));
  });
  await page.goto(site.url);
  await splashIsGone(page);
  await expectScrolledTo(page, 'contact');
});

test('lazy layout: the end of the page is reached at once', async ({ page, site }) => {
  await slowDown(page);
  await page.goto(site.url, { waitUntil: 'commit' });
  await splashIsGone(page);
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
  await expect(page.getByRole('contentinfo')).toBeInViewport({ ratio: 0.5 });
});

test('lazy layout: a focused link stays in the window when the page is laid out', async ({ page, site }) => {
  // A zoom of 400 %, where the footer is higher than the window.
  await page.setViewportSize({ width: 320, height: 256 });
  // Without these parts, the layout stays deferred until the page is scrolled, here by the focus.
  await page.route(entryBundle, networkFaults.hangs);
  await page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      // Safari has no scroll anchoring.
      document.documentElement.style.overflowAnchor = 'none';
      dispatchEvent(new Event('end-splash'));
    });
  });
  await page.goto(site.url, { waitUntil: 'commit' });
  await splashEnd(page);
  // Backwards from the start of the page: to the last link of the footer.
  await page.keyboard.press('Shift+Tab');
  await page.locator('html:not([data-lazy-layout])').waitFor({ state: 'attached' });
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Contact' });
  await expect(link).toBeFocused();
  await expect(link).toBeInViewport();
});

const heightsAreKnown = (page: Page) =>
  page.locator('html[data-heights-known]').waitFor({ state: 'attached' });

/** Heights of the sections, and which of them the browser skips. */
const sections = (page: Page) =>
  page.locator(':is(main [data-remote], main ~ [data-remote]) > *').evaluateAll((elements) =>
    elements.map((element) => ({
      height: element.getBoundingClientRect().height,
      isSkipped: !(element.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }) ?? false),
    })),
  );

const heights = async (page: Page) => (await sections(page)).map(({ height }) => Math.round(height));

test('lazy layout: sections far from the window are skipped, at their real heights', async ({
  openSite,
  page,
}) => {
  await openSite();
  await heightsAreKnown(page);
  expect((await sections(page)).filter(({ isSkipped }) => isSkipped).length).toBeGreaterThan(3);
  for (const width of [390, 700]) {
    await page.setViewportSize({ width, height: 844 });
    // The page notices the new width only after a while. Until then, the heights of the old one count as known.
    await expect(async () => {
      await heightsAreKnown(page);
      const whileSkipping = await heights(page);
      // Without the attribute, the browser lays out all sections.
      await page.locator('html').evaluate((root) => root.removeAttribute('data-heights-known'));
      const laidOut = await heights(page);
      await page.locator('html').evaluate((root) => root.setAttribute('data-heights-known', ''));
      expect(laidOut).toEqual(whileSkipping);
    }).toPass({ timeout: 10_000 });
  }
});

test('lazy layout: a link leads to its section after the font size has changed', async ({
  openSite,
  page,
}) => {
  await openSite();
  await heightsAreKnown(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 28 } });
  await expect(page.locator('html')).toHaveCSS('font-size', '28px');
  await heightsAreKnown(page);
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('a[href="#contact"]')?.click());
  await expectScrolledTo(page, 'contact');
});
