import type { Browser } from '@playwright/test';
import { hidePage, openPage } from '../driver/open-page.ts';
import { slotsOf } from '../driver/landing-page.ts';
import { expect, pricingVersions, type ReleasedSite, test } from './release-test.ts';
import { watchUntilRolledBack } from './watch-until-rolled-back.ts';

/** Opens the page as a new visitor and leaves. The stable version shows in any case, because it replaces a canary that throws. */
async function visit(browser: Browser, { url, stable }: ReleasedSite): Promise<void> {
  await using context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await openPage(page, url);
  await expect(slotsOf(page, 'mf-pricing')).toHaveAttribute('data-version', stable);
  expect((await hidePage(page)).status()).toBe(204);
}

test('watch: a canary that throws in the page is rolled back', async ({ browser, released }) => {
  const { throwsOnRender } = pricingVersions;
  await watchUntilRolledBack(released, 'mf-pricing', throwsOnRender, () => visit(browser, released));
  expect(await released.release.status('mf-pricing')).toEqual({ live: released.stable, canary: undefined });
});
