import type { Browser, Page } from '@playwright/test';
import { openLeadForm } from '../driver/lead-forms.ts';
import { expect, test } from '../site/page-test.ts';

/** Counts restyled elements and timers, on which the time to the next paint (INP) depends, because no test measures time. */
test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

interface TraceEvent {
  readonly name: string;
  readonly args?: { readonly elementCount?: number };
}

/** Most elements whose styles one update recalculates during an action. */
async function restyledElements(browser: Browser, page: Page, action: () => Promise<void>): Promise<number> {
  await browser.startTracing(page, {
    categories: ['disabled-by-default-devtools.timeline', 'devtools.timeline'],
  });
  await action();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  return Math.max(0, ...traceEvents.map(({ args }) => args?.elementCount ?? 0));
}

const dialog = (page: Page) => page.getByRole('dialog');
const menuButton = (page: Page) => page.getByRole('button', { name: 'Open menu' });
const elementCount = (page: Page) => page.locator('#root *').count();

/** Opens a dialog, which loads its code, and closes it, so that the test measures only the next opening. */
async function openAndClose(page: Page, open: () => Promise<void>): Promise<void> {
  await open();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
}

const dialogs = {
  menu: (page: Page) => menuButton(page).tap(),
  form: (page: Page) => openLeadForm(page, { type: 'trial', opener: 'Start Free Trial' }),
};

for (const [name, press] of Object.entries(dialogs)) {
  test(`interaction: an open ${name} leaves the styles of the page as they are`, async ({
    browser,
    openSite,
    page,
  }) => {
    await openSite();
    const open = async () => {
      await press(page);
      await expect(dialog(page)).toBeVisible();
    };
    await openAndClose(page, open);
    expect(await restyledElements(browser, page, open)).toBeLessThan((await elementCount(page)) / 5);
  });
}

test('interaction: another theme updates the sections in the window first', async ({
  browser,
  openSite,
  page,
}) => {
  await openSite();
  await menuButton(page).tap();
  const dark = dialog(page).getByRole('radio', { name: 'Dark' });
  await expect(dark).toBeVisible();
  const restyled = await restyledElements(browser, page, async () => {
    await dark.check();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  });
  expect(restyled).toBeLessThan((await elementCount(page)) / 2);
});

test('interaction: a menu opens without a timer when its code is loaded', async ({ openSite, page }) => {
  await page.addInitScript(() => {
    const setAnyTimeout = globalThis.setTimeout;
    globalThis.setTimeout = ((handler: TimerHandler, ...values: unknown[]) =>
      document.documentElement.hasAttribute('data-no-timers')
        ? 0
        : setAnyTimeout(handler, ...(values as [number]))) as typeof setTimeout;
  });
  await openSite();
  await page.locator('html').evaluate((root) => root.setAttribute('data-no-timers', ''));
  await menuButton(page).tap();
  await expect(dialog(page)).toBeVisible();
});
