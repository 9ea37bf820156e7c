import type { Locator, Page } from '@playwright/test';
import { expectScrolledTo } from '../checks/expect-scrolled-to.ts';
import { expect, test } from '../site/page-test.ts';
import { sectionOf, slotOf } from '../driver/landing-page.ts';

/** Presses Tab once per element, and expects that the elements get the focus in turn and are visible. */
async function tabThrough(page: Page, elements: readonly Locator[]): Promise<void> {
  for (const element of elements) {
    await page.keyboard.press('Tab');
    await expect(element).toBeFocused();
    await expect(element).toBeInViewport();
  }
}

test('keyboard: the header is in order from left to right; Enter follows an item', async ({
  isMobile,
  openSite,
}) => {
  test.skip(isMobile, 'A phone has the side menu.');
  const page = await openSite();
  const header = page.getByRole('banner');
  await tabThrough(page, [
    page.getByRole('link', { name: 'Skip to content' }),
    ...['Countersign', 'Features', 'Pricing', 'API', 'Contact'].map((name) =>
      header.getByRole('link', { name }),
    ),
    header.getByRole('button', { name: 'Theme' }),
    ...['Sign In', 'Start Free Trial'].map((name) => header.getByRole('link', { name })),
  ]);

  await header.getByRole('link', { name: 'Pricing' }).focus();
  await page.keyboard.press('Enter');
  await expectScrolledTo(page, 'pricing');
  await expect(sectionOf(page, 'pricing')).toBeFocused();
  await tabThrough(page, [page.getByRole('radio', { name: 'Monthly' }).first()]);
});

test('keyboard: on a phone, an arrow key changes the code sample', async ({ isMobile, openSite }) => {
  test.skip(!isMobile, 'On a desktop, both samples are shown.');
  const page = await openSite();
  const api = page.getByRole('article', { name: 'API-first flow' });
  const tabs = api.getByRole('group', { name: 'Code sample' });
  const [request, webhook] = [api.getByText('/v1/documents'), api.getByText('"signer.signed"')];
  await expect(webhook).toBeHidden();
  await tabs.getByRole('radio', { name: 'Your request' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(tabs.getByRole('radio', { name: 'Our webhook' })).toBeFocused();
  await expect(webhook).toBeVisible();
  await expect(request).toBeHidden();
  await expect(slotOf(page, './workflow')).toHaveAttribute('data-version');
  await expect(webhook).toBeVisible();
});
