import { endSplashWithout, failFirst, loseEntryBundle } from '../driver/open-page.ts';
import { expect, test } from '../site/site-test.ts';
import { slotsOf } from '../driver/landing-page.ts';
import { entriesOf, fillIn, openLeadForm, rightEntries, sendButton } from '../driver/lead-forms.ts';

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

test('lost files: a form without its logic is sent by the browser, and is empty afterwards', async ({
  openSite,
  page,
}) => {
  await failFirst(page, /lead-form-logic/, Infinity);
  await openSite();
  const form = await openLeadForm(page, { type: 'contact' });
  const reported = page.waitForEvent('pageerror');
  await fillIn(form, rightEntries);
  await reported;
  await sendButton(form).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you');
  await page.getByRole('link', { name: 'Back to Countersign' }).click();
  const entries = await entriesOf(await openLeadForm(page, { type: 'contact' }));
  expect(Object.values(entries).join('')).toBe('');
});
