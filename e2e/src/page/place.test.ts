import { anyWindow, expect, test } from '../site/page-test.ts';
import { splashEnd } from '../driver/open-page.ts';

const top = 4000;

for (const path of ['/', '/#pricing'] as const) {
  for (const how of ['reload', 'back'] as const) {
    test(`scroll position: is restored by ${how} at ${path}`, anyWindow, async ({ openSite, site }) => {
      const page = await openSite(path);
      await page.evaluate((place) => scrollTo({ top: place, behavior: 'instant' }), top);
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
      if (how === 'reload') await page.reload();
      else {
        await page.goto(`${site.url}/robots.txt`);
        await page.goBack();
      }
      await splashEnd(page);
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(top);
      await expect.poll(() => page.evaluate(() => history.scrollRestoration)).toBe('auto');
    });
  }
}
