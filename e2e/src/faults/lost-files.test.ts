import { endSplashWithout, failFirst, loseEntryBundle } from '../driver/open-page.ts';
import { expect, test } from '../site/site-test.ts';
import { slotsOf } from '../driver/landing-page.ts';

test('lost files: a part whose entry gets 503 twice works after the next press', async ({
  openSite,
  page,
}) => {
  await loseEntryBundle(page);
  // The request and its repetition.
  await failFirst(page, /\/mf-pricing\/.*entry/, 2);
  await endSplashWithout(page, 'mf-pricing');
  const failed = page.waitForEvent('console', (message) => message.text().includes('mf-pricing@'));
  await openSite();
  await failed;
  const explained = page.getByRole('button', { name: 'Signees per collection' });
  await explained.click();
  await expect(slotsOf(page, 'mf-pricing')).toHaveAttribute('data-version');
  await expect(page.getByRole('tooltip')).toContainText('How many people you can ask');
});

for (const { panel, opener, dialog } of [
  { panel: /side-panel/, opener: 'Open menu', dialog: 'Menu' },
  { panel: /lead-dialog-panel/, opener: 'Schedule Demo', dialog: 'Schedule your demo' },
]) {
  test(`lost files: a second press of "${opener}" opens "${dialog}"`, async ({ openSite, page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await failFirst(page, panel, 2);
    await openSite();
    const button = page.getByRole('button', { name: opener });
    await expect(page.locator('[data-version]', { has: button })).toHaveCount(1);
    const reported = page.waitForEvent('pageerror');
    await button.click();
    await reported;
    await expect(page.getByText('This could not be loaded. Try again.').first()).toBeVisible();
    // The part itself stays.
    await expect(page.locator('[data-version]', { has: button })).toHaveCount(1);
    await expect(button).toHaveAttribute('aria-expanded', 'false');
    await button.click();
    await expect(page.getByRole('dialog', { name: dialog })).toBeVisible();
  });
}
