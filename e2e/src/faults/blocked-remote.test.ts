import { endSplashWithout, loseEntryBundle } from '../driver/open-page.ts';
import { expectMarkup, expectWholePage, touchSlots } from '../checks/expect-whole-page.ts';
import { expect, test } from '../site/site-test.ts';
import { sectionOf } from '../driver/landing-page.ts';

// One of them loads at once, the other on use.
for (const blocked of ['mf-header', 'mf-content'] as const) {
  test(`blocked remote: the markup of ${blocked} stays, and the rest works`, async ({ page, openSite }) => {
    await loseEntryBundle(page);
    await page.route(`**/${blocked}/**`, (route) => route.abort('connectionreset'));
    const failed = page.waitForEvent('console', (message) => message.text().includes(`${blocked}@`));
    await endSplashWithout(page, blocked);
    await openSite();
    await touchSlots(page, blocked);
    await failed;
    await expectMarkup(page, blocked);
    await page.getByRole('banner').getByRole('link', { name: 'Contact' }).click();
    await expect(sectionOf(page, 'contact')).toBeInViewport();
    await expectWholePage(page, blocked);
  });
}
