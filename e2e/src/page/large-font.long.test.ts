import { contentTooWideOutsideTable } from '../checks/content-too-wide.ts';
import { launchOptions } from '../browser/launch-options.ts';
import { openNavigation } from '../driver/landing-page.ts';
import { onceOnDesktop, expect, test } from '../site/page-test.ts';

test.use({
  viewport: { width: 390, height: 844 },
  launchOptions: launchOptions('--blink-settings=defaultFontSize=32'),
});

test(
  'large font: header and side menu stay in the window of a phone',
  onceOnDesktop,
  async ({ openSite }) => {
    const page = await openSite();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('banner').getByRole('link', { name: 'Countersign' })).toBeInViewport({
      ratio: 1,
    });

    const menu = await openNavigation(page, true);
    await expect
      .poll(() =>
        menu.evaluate((element) => element.scrollWidth <= element.clientWidth && element.scrollLeft === 0),
      )
      .toBe(true);
  },
);

test('large font: no section is wider than the window of a phone', onceOnDesktop, async ({ openSite }) => {
  const page = await openSite();
  expect(await contentTooWideOutsideTable(page)).toEqual([]);
});
