import { remoteNames, type RemoteName } from '@countersign/contracts/remotes';
import type { Page } from '@playwright/test';
import { endSplashWithout, loseEntryBundle } from '../driver/open-page.ts';
import { expectMarkup, expectWholePage, touchSlots } from '../checks/expect-whole-page.ts';
import { expect, test } from '../site/site-test.ts';

/** Remote → use of its markup without code. */
const plainUses: Readonly<Partial<Record<RemoteName, (page: Page) => Promise<void>>>> = {
  'mf-header': async (page) => {
    await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click();
    await expect(page.locator('#contact')).toBeInViewport();
  },
  'mf-content': async (page) => {
    await page.getByRole('contentinfo').getByRole('link', { name: 'Pricing' }).click();
    await expect(page.locator('#pricing')).toBeInViewport();
  },
  'mf-pricing': async (page) => {
    const plan = page.getByRole('article', { name: 'Enterprise' });
    await plan.getByRole('radio', { name: 'Yearly' }).check();
    await expect(plan.getByText('$299.99 USD per year')).toBeVisible();
    const trial = plan.getByRole('link', { name: 'Start Free Trial' });
    await expect(trial).toHaveAttribute('href', 'https://app.countersign.example/login');
  },
  'mf-leads': async (page) => {
    const form = page.locator('#contact').getByRole('form');
    await expect(form).toHaveAttribute('method', 'post');
    await expect(form).toHaveAttribute('action', '/api/contact');
    await expect(form.getByRole('button')).toHaveAttribute('type', 'submit');
  },
};

for (const blocked of remoteNames) {
  test(`blocked remote: the markup of ${blocked} stays, and the rest works`, async ({ page, openSite }) => {
    await loseEntryBundle(page);
    await page.route(`**/${blocked}/**`, (route) => route.abort('connectionreset'));
    const failed = page.waitForEvent('console', (message) => message.text().includes(`${blocked}@`));
    await endSplashWithout(page, blocked);
    await openSite();
    await touchSlots(page, blocked);
    await failed;
    await expectMarkup(page, blocked);
    await plainUses[blocked]?.(page);
    await expectWholePage(page, blocked);
  });
}
