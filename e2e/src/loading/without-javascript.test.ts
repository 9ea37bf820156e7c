import type { Page } from '@playwright/test';
import { expectSections } from '../checks/expect-sections.ts';
import { expectHydrated } from '../checks/expect-whole-page.ts';
import { shownTheme } from '../checks/shown-theme.ts';
import { loginAddress, navigationTargets, sectionOf, slotOf } from '../driver/landing-page.ts';
import { entriesOf, fieldOf, fillIn, rightEntries, sendButton } from '../driver/lead-forms.ts';
import { openPage } from '../driver/open-page.ts';
import { expect, test } from '../site/site-test.ts';

test.use({ javaScriptEnabled: false });

const contactForm = (page: Page) => page.getByRole('form');

/** Accessible content of each slot of the two remotes that look the same without JavaScript. */
async function contents(page: Page): Promise<readonly string[]> {
  const slots = await page.locator('[data-remote="mf-content"], [data-remote="mf-pricing"]').all();
  return Promise.all(slots.map((slot) => slot.ariaSnapshot()));
}

test('without JavaScript: the page has the content of the hydrated page, in order', async ({
  browser,
  page,
  site,
}) => {
  await page.goto('/');
  await expect(page.locator('#splash')).toBeHidden();
  await expectSections(page);
  const hydrated = await browser.newPage({ javaScriptEnabled: true });
  await openPage(hydrated, site.url);
  for (const remote of ['mf-content', 'mf-pricing'] as const) await expectHydrated(hydrated, remote);
  expect(await contents(page)).toEqual(await contents(hydrated));
  await hydrated.close();
});

test('without JavaScript: links to the application and to sections work', async ({ page }) => {
  await page.goto('/');
  const banner = page.getByRole('banner');
  for (const [links, count] of [
    [banner.getByRole('link', { name: /Sign In|Start Free Trial/ }), 2],
    [slotOf(page, './hero').getByRole('link'), 1],
    [sectionOf(page, 'pricing').getByRole('link'), 5],
  ] as const) {
    await expect(links).toHaveCount(count);
    for (const link of await links.all()) await expect(link).toHaveAttribute('href', loginAddress);
  }
  for (const [name, section] of Object.entries(navigationTargets)) {
    await banner.getByRole('link', { name }).click();
    await expect(page).toHaveURL(`/#${section}`);
    await expect(sectionOf(page, section)).toBeInViewport();
  }
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`without JavaScript: the page is ${colorScheme} if the system is`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    for (const path of ['/', '/no/such/page']) {
      await page.goto(path);
      expect(await shownTheme(page), path).toBe(colorScheme);
    }
  });
}

test('without JavaScript: no control is shown that needs it, and links take their place', async ({
  page,
}) => {
  await page.goto('/');
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    // The buttons in the table only show tooltips, and look like text without code.
    const buttons = page.getByRole('button').and(page.locator(':not(table button)'));
    // Watch Demo has no visible effect with code either.
    await expect(buttons).toHaveText(['Watch Demo', 'Send Message']);
    await page.getByRole('banner').getByRole('link', { name: 'Pricing' }).click();
    await expect(sectionOf(page, 'pricing')).toBeInViewport();
    for (const name of ['Start Free Trial', 'Schedule Demo']) {
      await sectionOf(page, 'contact').getByRole('link', { name }).click();
      await expect(fieldOf(contactForm(page), 'Name')).toBeInViewport({ ratio: 1 });
    }
  }
});

test('without JavaScript: an unknown path shows the 404 page with a link back', async ({ page }) => {
  const answer = await page.goto('/no/such/page');
  expect(answer?.status()).toBe(404);
  await expect(page.locator('#splash')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('404 Page Not Found');
  await expect(page.getByText('Did you forget to add the page to the router?')).toBeVisible();
  await page.getByRole('link', { name: 'Back to Countersign' }).click();
  await expect(page).toHaveURL('/');
});

test('without JavaScript: the contact form is sent, confirmed, and not resent', async ({ page, site }) => {
  await page.goto('/');
  const { Email: email, Company: company, Message: message } = rightEntries;
  const name = 'Ada without script';
  await fillIn(contactForm(page), { ...rightEntries, Name: name });
  await sendButton(contactForm(page)).click();
  for (const reload of [true, false]) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you');
    expect(site.leads(name)).toMatchObject([{ type: 'contact', email, company, message }]);
    if (reload) await page.reload();
  }
});

test('without JavaScript: errors are shown, and the input is kept', async ({ page, site }) => {
  await page.goto('/');
  const invalid = { ...rightEntries, Name: 'Ada who types spaces', Message: `Hi${' '.repeat(10)}` };
  await fillIn(contactForm(page), invalid);
  await sendButton(contactForm(page)).click();
  await expect(page.getByText('Message must be at least 10 characters')).toBeVisible();
  // Without a name it has no role.
  const form = page.locator('form');
  expect(await entriesOf(form)).toMatchObject({ Name: invalid.Name, Email: invalid.Email });
  await fillIn(form, { Message: rightEntries.Message });
  await sendButton(form).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Thank you');
  expect(site.leads(invalid.Name)).toHaveLength(1);
});
