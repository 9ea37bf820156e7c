import type { Page } from '@playwright/test';
import { accessibilityFaults } from '../checks/accessibility-faults.ts';
import { endSplashEarly, hidePage, recordReports, splashEnd } from '../driver/open-page.ts';
import { expectShown } from '../checks/expect-whole-page.ts';
import { expect, pricingVersions, test } from './release-test.ts';

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Boundaries' });
const fallback = (stable: string) => `falls back to ${stable}`;

async function open(page: Page, url: string): Promise<void> {
  await endSplashEarly(page);
  await page.goto(url);
  await splashEnd(page);
}

/** Sizes of the page and places of its blocks, with and without the overlay, within one frame. */
function layouts(page: Page): Promise<readonly (readonly number[])[]> {
  return page.evaluate(() => {
    const measure = () => [
      document.documentElement.scrollWidth,
      document.documentElement.scrollHeight,
      ...[...document.querySelectorAll('[data-remote] > *')].map(
        (block) => block.getBoundingClientRect().top,
      ),
    ];
    const overlay = document.querySelector('[aria-label="Boundaries"]')?.parentElement;
    if (!overlay) throw new Error('The page has no overlay.');
    // A frame that does not follow the page yet.
    const frame = overlay.querySelector<HTMLElement>('[data-status][style]');
    if (frame) frame.style.translate = '0 99999px';
    const shown = measure();
    overlay.hidden = true;
    const hidden = measure();
    overlay.hidden = false;
    return [shown, hidden];
  });
}

test('overlay: shows a failure with its cause, and loads another version', async ({ page, released }) => {
  const { release, stable, url } = released;
  await release.promote('mf-pricing', pricingVersions.throwsOnRender);
  const reports = await recordReports(page);
  await open(page, `${url}/?preview&boundaries`);
  await expectShown(page, 'mf-pricing', stable);
  const panel = panelOf(page);

  // The label in the page opens the block in the panel, and the keyboard goes on from there.
  await page.getByRole('button', { name: /^mf-pricing · pricing/ }).press('Enter');
  await expect(panel.locator('summary:focus')).toContainText('mf-pricing · pricing');
  const trace = panel.getByRole('list', { name: 'Load trace' });
  await expect(trace).toContainText(`${pricingVersions.throwsOnRender} threw while rendering`);
  await expect(trace).toContainText(fallback(stable));
  expect(await accessibilityFaults(page, { colorsIn: ['aside'] })).toEqual([]);

  // A version of this release needs no signature.
  await panel.getByRole('link', { name: `${stable} · previous` }).press('Enter');
  await expect(page).toHaveURL(`${url}/?preview=&boundaries=mf-pricing@${stable}`);
  await splashEnd(page);
  await page.getByRole('button', { name: /^mf-pricing · pricing/ }).press('Enter');
  await expect(trace).toContainText(`${stable} rendered in place of the markup`);
  await expect(trace).not.toContainText(fallback(stable));

  // Any other stored version needs a signed link.
  const words = ['override', 'mf-pricing', '--version', pricingVersions.good, '--site', url];
  const { link } = await release.run<{ link: string }>(...words);
  await page.goto(`${link}&boundaries=`);
  await expect(page.getByRole('button', { name: /^mf-pricing · pricing · 80/ })).toBeVisible();

  const [shown, hidden] = await layouts(page);
  expect(shown, 'the overlay changes the layout').toEqual(hidden);
  await panelOf(page).getByRole('button', { name: 'Close the overlay' }).click();
  await expect(panelOf(page)).toHaveCount(0);
  expect(page.url()).toBe(`${url}/?preview=`);
  expect(reports).toEqual([]);
});

test('overlay: visitors load nothing of it', async ({ page, released }) => {
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  await open(page, `${released.url}/?boundaries`);
  await expectShown(page, 'mf-pricing', released.stable);
  await expect(panelOf(page)).toHaveCount(0);
  expect(loaded.filter((url) => url.includes('/preview/'))).toEqual([]);
  expect((await hidePage(page)).status()).toBe(204);
});
