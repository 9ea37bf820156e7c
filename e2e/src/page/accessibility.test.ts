import { accessibilityViolations } from '../checks/accessibility-violations.ts';
import {
  answerLeads,
  fieldOf,
  fillIn,
  leadForms,
  openLeadForm,
  sendButton,
  sendLead,
} from '../driver/lead-forms.ts';
import { toasts, openNavigation } from '../driver/landing-page.ts';
import { onceOnDesktop, expect, test } from '../site/page-test.ts';

const [contact, trial] = leadForms;

test.use({ reducedMotion: 'reduce' });

test('axe: no violation on the page with an open tooltip', async ({ openSite }) => {
  const page = await openSite();
  const limit = page.getByRole('button', { name: 'Signees per collection' });
  await limit.scrollIntoViewIfNeeded();
  await limit.focus();
  await expect(page.getByRole('tooltip')).toBeVisible();
  expect(await accessibilityViolations(page)).toEqual([]);
});

test('axe: no violation in a dialog with form errors', async ({ openSite }) => {
  const page = await openSite();
  const form = await openLeadForm(page, trial);
  await sendButton(form).click();
  await expect(fieldOf(form, 'Message')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('dialog')).toHaveAccessibleDescription(/./);
  // The scroll lock holds, although the policy of the page lets it write no style element.
  await expect(page.locator('body')).toHaveCSS('overflow', 'hidden');
  const backdrop = page.getByRole('dialog').locator('..');
  expect(await backdrop.boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() });
  expect(await accessibilityViolations(page, { colorsIn: ['[role="dialog"]'] })).toEqual([]);
});

test.describe(() => {
  test.use({ expectedMessages: ['status of 503'] });

  test('axe: no violation with a failure toast and form errors', onceOnDesktop, async ({ openSite }) => {
    const page = await openSite();
    await answerLeads(page, 503, 'Please try again in an hour.');
    const form = await sendLead(page, contact);
    await expect(toasts(page)).toBeVisible();
    await fillIn(form, { Name: '', Email: '', Message: '' });
    await expect(fieldOf(form, 'Message')).toHaveAttribute('aria-invalid', 'true');
    await toasts(page).getByRole('button', { name: 'Close', includeHidden: true }).focus();
    expect(await accessibilityViolations(page, { colorsIn: ['#overlays', '#contact'] })).toEqual([]);
    await expect(toasts(page)).toContainText('503: Please try again in an hour.');
  });
});

test('axe: no violation in the open theme menu or side menu', async ({ isMobile, openSite }) => {
  const page = await openSite();
  if (isMobile) {
    await expect(await openNavigation(page, isMobile)).toBeVisible();
  } else {
    await page.getByRole('button', { name: 'Theme' }).click();
    await expect(page.getByRole('menu')).toBeVisible();
  }
  const menu = isMobile ? '[role="dialog"]' : '[role="menu"]';
  expect(await accessibilityViolations(page, { colorsIn: [menu] })).toEqual([]);
});

test.describe(() => {
  test.use({ expectedMessages: ['status of 404'] });

  test('axe: no violation on the 404 page', onceOnDesktop, async ({ openSite }) => {
    const page = await openSite('/no/such/page');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
