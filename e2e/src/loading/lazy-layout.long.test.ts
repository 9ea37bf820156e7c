import type { Page } from '@playwright/test';
import { expectScrolledTo } from '../checks/expect-scrolled-to.ts';
import { sectionHeightsKnown } from '../driver/landing-page.ts';
import { expect, test } from '../site/page-test.ts';

// Sections are tall on a phone, so wrong heights would show.
test.use({ viewport: { width: 390, height: 844 } });

/** Heights of the sections, and which of them the browser skips. */
const sections = (page: Page) =>
  page.locator(':is(main [data-remote], main ~ [data-remote]) > *').evaluateAll((elements) =>
    elements.map((element) => ({
      height: element.getBoundingClientRect().height,
      isSkipped: !(element.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }) ?? false),
    })),
  );

const heights = async (page: Page) => (await sections(page)).map(({ height }) => Math.round(height));

test('far sections: sections far from the window are skipped, at their real heights', async ({
  openSite,
  page,
}) => {
  await openSite();
  await sectionHeightsKnown(page);
  expect((await sections(page)).filter(({ isSkipped }) => isSkipped).length).toBeGreaterThan(3);
  for (const width of [390, 700]) {
    await page.setViewportSize({ width, height: 844 });
    // The page notices the new width only after a while. Until then, the heights of the old one count as known.
    await expect(async () => {
      await sectionHeightsKnown(page);
      const whileSkipping = await heights(page);
      // Without the attribute, the browser lays out all sections.
      await page.locator('html').evaluate((root) => root.removeAttribute('data-heights-known'));
      const laidOut = await heights(page);
      await page.locator('html').evaluate((root) => root.setAttribute('data-heights-known', ''));
      expect(laidOut).toEqual(whileSkipping);
    }).toPass({ timeout: 10_000 });
  }
});

test('far sections: a link leads to its section after the font size has changed', async ({
  openSite,
  page,
}) => {
  await openSite();
  await sectionHeightsKnown(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 28 } });
  await expect(page.locator('html')).toHaveCSS('font-size', '28px');
  await sectionHeightsKnown(page);
  await page.evaluate(() => document.querySelector<HTMLAnchorElement>('a[href="#contact"]')?.click());
  await expectScrolledTo(page, 'contact');
});
