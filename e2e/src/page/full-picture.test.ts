import { launch } from 'puppeteer-core';
import { launchOptions } from '../browser/launch-options.ts';
import { onceOnDesktop, expect, test } from '../site/page-test.ts';

/**
 * Runs in the page: the sections of which a picture of the whole page, a PNG in Base64, shows nothing but a background. Text covers
 * more than one pixel in 200 of each section, and differs from the most frequent colour.
 */
async function emptySections(picture: string): Promise<readonly string[]> {
  const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
  const blob = new Blob([bytes], { type: 'image/png' });
  const image = await createImageBitmap(blob);
  const scale = image.width / document.documentElement.clientWidth;
  const sections = [...document.querySelectorAll(':is(main > [data-remote], main ~ [data-remote]) > *')];
  if (sections.length < 10) throw new Error(`The page has ${sections.length} sections.`);
  const empty: string[] = [];
  for (const section of sections) {
    const { x, y, width, height } = section.getBoundingClientRect();
    const [left, top, columns, rows] = [x, y + scrollY, width, height].map((each) =>
      Math.floor(each * scale),
    );
    const canvas = new OffscreenCanvas(columns ?? 0, rows ?? 0).getContext('2d');
    canvas?.drawImage(image, -(left ?? 0), -(top ?? 0));
    const colors = new Map<number, number>();
    const pixels = new Uint32Array(canvas?.getImageData(0, 0, columns ?? 0, rows ?? 0).data.buffer ?? []);
    for (const pixel of pixels) colors.set(pixel, (colors.get(pixel) ?? 0) + 1);
    const drawn = 1 - Math.max(...colors.values()) / pixels.length;
    if (!(drawn > 0.005)) empty.push(`${section.parentElement?.dataset['exposed'] ?? ''}: ${drawn}`);
  }
  return empty;
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`picture: one of the whole page in the ${colorScheme} theme shows every section`, async ({
    openSite,
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await openSite();
    const picture = await page.screenshot({ fullPage: true, scale: 'css' });
    expect(await page.evaluate(emptySections, picture.toString('base64'))).toEqual([]);
  });
}

test('picture: after a choice of the theme, every section has it', async ({ isMobile, openSite, page }) => {
  await openSite();
  await page.getByRole('button', { name: isMobile ? 'Open menu' : 'Theme' }).click();
  await page.getByRole(isMobile ? 'radio' : 'menuitemradio', { name: 'Dark' }).click();
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-skipped]')).toHaveCount(0);
  const picture = await page.screenshot({ fullPage: true, scale: 'css' });
  expect(await page.evaluate(emptySections, picture.toString('base64'))).toEqual([]);
});

test('picture: one by Puppeteer shows every section', onceOnDesktop, async ({ site }) => {
  const { executablePath = '', args } = launchOptions();
  const browser = await launch({ executablePath, args });
  const page = await browser.newPage();
  await page.goto(site.url);
  await page.waitForFunction(() => document.querySelector('#splash') === null);
  const picture = await page.screenshot({ fullPage: true, encoding: 'base64' });
  expect(await page.evaluate(emptySections, picture)).toEqual([]);
  await browser.close();
});
