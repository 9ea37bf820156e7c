import type { Page } from '@playwright/test';
import { expectShown, expectWholePage } from '../checks/expect-whole-page.ts';
import { broken, expect, fixture, live, test } from '../site/site-test.ts';

const remote = 'mf-pricing';
const { version } = fixture;

const breakButton = (page: Page) =>
  page.locator(`[data-remote="${remote}"]`).getByRole('button', { name: 'Break', exact: true });

test('hostile part: changing the URL does not remove the page', async ({ page, site, openSite }) => {
  const { path } = await site.with(live(remote), broken(remote, fixture));
  await openSite(path);
  await expectShown(page, remote, version);
  await page.evaluate(() => {
    history.pushState(null, '', '/elsewhere');
    history.replaceState(null, '', '/nowhere');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await expectShown(page, remote, version);
  await expect(page.getByText('404 Page Not Found')).toHaveCount(0);
  await page.goBack();
  await expectShown(page, remote, version);
  await expectWholePage(page, remote);
});

/** Sabotage by a part before it fails. */
const sabotages: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'replacing the console': (page) =>
    page.evaluate(() => {
      console.error = () => {
        throw new Error('No');
      };
    }),
  'removing its elements': (page) =>
    breakButton(page).evaluate((button) =>
      button.addEventListener('click', () => button.closest('[data-remote]')?.replaceChildren()),
    ),
};

for (const [what, sabotage] of Object.entries(sabotages)) {
  test(`hostile part: failing after ${what} shows the previous version`, async ({ page, site, openSite }) => {
    const { path, previous } = await site.with(live(remote), broken(remote, fixture));
    await openSite(path);
    await expectShown(page, remote, version);
    await sabotage(page);
    await breakButton(page).dispatchEvent('click');
    await expectShown(page, remote, previous);
    await expectWholePage(page, remote);
  });
}
