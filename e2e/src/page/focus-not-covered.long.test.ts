import { coveredStops } from '../checks/covered-stops.ts';
import { onceOnDesktop, expect, test } from '../site/page-test.ts';

const windows = [
  { width: 320, height: 256, what: 'a zoom of 400 %' },
  { width: 390, height: 844, what: 'a phone' },
  { width: 1280, height: 720, what: 'a desktop' },
] as const;

for (const { what, ...size } of windows) {
  for (const key of ['Tab', 'Shift+Tab'] as const) {
    test(
      `focus: nothing covers it on the way with ${key}, at ${what}`,
      onceOnDesktop,
      async ({ openSite, page }) => {
        await page.setViewportSize(size);
        await openSite();
        expect(await coveredStops(page, key)).toEqual([]);
      },
    );
  }
}
