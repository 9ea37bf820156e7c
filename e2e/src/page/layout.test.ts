import type { Page } from '@playwright/test';
import { acceptLeads, leadForms, openLeadForm, sendButton, sendLead } from '../driver/lead-forms.ts';
import {
  contentTooWide,
  contentTooWideOutsideTable,
  expectNoneAtWidths,
} from '../checks/content-too-wide.ts';
import { expectPrice } from '../checks/expect-prices.ts';
import { toasts, openNavigation, sectionOf, slotOf } from '../driver/landing-page.ts';
import { onceOnDesktop, expect, test } from '../site/page-test.ts';

const [contact, trial] = leadForms;

/**
 * Records layout shifts, also those under the splash, as the browser's own score does, and those right after a press, which
 * that score excludes. Call it before opening the page. The result returns the sum of the scores.
 */
async function recordLayoutShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const shifts: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => void shifts.push(...list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    const total = () => {
      shifts.push(...observer.takeRecords());
      return shifts.reduce((sum, shift) => sum + (Reflect.get(shift, 'value') as number), 0);
    };
    Object.assign(window, { layoutShiftTotal: total });
  });
  return () => page.evaluate(() => (Reflect.get(window, 'layoutShiftTotal') as () => number)());
}

/**
 * Gives the page its font before it paints. Otherwise a slow machine shows the fallback first, and one without Arial, Liberation
 * Sans and Roboto has none of the same width. Call it before opening the page.
 */
async function provideFont(page: Page, url: string): Promise<void> {
  const html = await (await page.request.get(url)).text();
  const [, path = ''] = /as="font"[^>]* href="([^"]+)"/.exec(html) ?? [];
  const font = await (await page.request.get(new URL(path, url).href)).body();
  await page.addInitScript(
    (bytes) => {
      const face = new FontFace('Figtree Variable', new Uint8Array(bytes), { weight: '300 900' });
      document.fonts.add(face);
    },
    [...font],
  );
}

test.describe(() => {
  test.use({ fullSplash: true });

  test('layout: no shift while the page loads, while scrolling or when a price changes', async ({
    openSite,
    page,
    site,
  }) => {
    await provideFont(page, site.url);
    const layoutShift = await recordLayoutShifts(page);
    await openSite();
    await page.evaluate(async () => {
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const { scrollHeight, clientHeight } = document.documentElement;
      for (let top = 0; top < scrollHeight; top += clientHeight / 2) {
        scrollTo({ top, behavior: 'instant' });
        await nextFrame();
        await nextFrame();
      }
    });
    for (const radio of await page.getByRole('radio', { name: 'Yearly' }).all()) await radio.check();
    await expectPrice(page, 'Enterprise', '$299.99 USD per year');
    expect(await layoutShift()).toBeLessThan(0.01);
  });
});

/** Widths of windows. A window of 1280 px is 640 px wide at a zoom of 200 %. */
const widths = { desktop: [320, 360, 640, 768, 1280, 1920], phone: [320, 360, 390] } as const;

test('layout: no horizontal scrolling at any window width', async ({ isMobile, openSite }) => {
  const page = await openSite();
  await expectNoneAtWidths(page, widths[isMobile ? 'phone' : 'desktop'], async () => {
    const menu = page.getByRole('button', { name: 'Open menu' });
    const signIn = page.getByRole('link', { name: 'Sign In' });
    // The header has the menu below 58rem.
    await expect(Number(page.viewportSize()?.width) < 928 ? menu : signIn).toBeVisible();
    return contentTooWide(page);
  });
});

test('layout: text spacing of WCAG 1.4.12 fits the window', async ({ isMobile, openSite }) => {
  const page = await openSite();
  await page.evaluate(() => {
    const styles = new CSSStyleSheet();
    styles.replaceSync(
      `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
       p { margin-block-end: 2em !important }`,
    );
    document.adoptedStyleSheets.push(styles);
  });
  await expectNoneAtWidths(page, widths[isMobile ? 'phone' : 'desktop'], contentTooWideOutsideTable);
});

test('layout: from right to left, the page is mirrored and nothing is cut off', async ({ openSite }) => {
  const page = await openSite();
  const ornament = slotOf(page, './hero').locator('svg[viewBox^="-"]');
  const box = () => ornament.evaluate((element) => element.getBoundingClientRect());
  const before = await box();
  await page.evaluate(() => (document.documentElement.dir = 'rtl'));
  expect(await contentTooWide(page)).toEqual([]);
  const width = await page.evaluate(() => document.documentElement.clientWidth);
  expect((await box()).left).toBeCloseTo(width - before.right, 0);
  await expect(sectionOf(page, 'api').locator('pre').first()).toHaveCSS('direction', 'ltr');
});

test('layout: the code samples end on one line, or share their place', async ({ isMobile, openSite }) => {
  const page = await openSite();
  // On a phone, one of them is hidden.
  const samples = sectionOf(page, 'api').getByRole('figure', { includeHidden: true });
  await expect(samples).toHaveCount(2);
  const [request, webhook] = await samples.evaluateAll((figures) =>
    figures.map((figure) => figure.getBoundingClientRect()),
  );
  expect(request?.bottom).toBe(webhook?.bottom);
  if (isMobile) expect(request).toEqual(webhook);
  // `code` has another font by default.
  const [sample, code] = await samples
    .locator('pre, code')
    .evaluateAll((elements) => elements.map((element) => getComputedStyle(element).fontFamily));
  expect(code).toBe(sample);
});

test('layout: the signing order covers no signature', onceOnDesktop, async ({ openSite }) => {
  const page = await openSite();
  await expectNoneAtWidths(page, [390, 430, 600, 1024, 1280], () =>
    slotOf(page, './hero').evaluate((hero) => {
      const card = hero.querySelector('ol')?.parentElement?.getBoundingClientRect();
      const fields = [...hero.querySelectorAll('[data-arrangement] > :last-child > *')];
      if (!card || fields.length !== 3) return ['no illustration'];
      const covers = ({ left, right, top, bottom }: DOMRect) =>
        left < card.right && right > card.left && top < card.bottom && bottom > card.top;
      return fields
        .filter((field) => covers(field.getBoundingClientRect()))
        .map(({ textContent }) => textContent);
    }),
  );
});

test('layout: the values of bars are beside their labels', onceOnDesktop, async ({ openSite }) => {
  const page = await openSite();
  const labels = slotOf(page, './why-choose-us').getByRole('term');
  await expect(labels).toHaveCount(10);
  await expectNoneAtWidths(page, [320, 360, 390, 900, 960, 1024, 1056], () =>
    labels.evaluateAll((terms) =>
      terms
        .filter((term) => {
          const value = term.nextElementSibling?.getBoundingClientRect();
          const { top, bottom } = term.getBoundingClientRect();
          return !value || value.top > (top + bottom) / 2;
        })
        .map(({ textContent }) => textContent),
    ),
  );
});

test('layout: forced colors leave the headline whole', async ({ openSite, page }) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await openSite();
  // A backplate covers the lines above it only if it belongs to another block.
  const lines = page.getByRole('heading', { level: 1 }).locator('span');
  for (const line of await lines.all()) await expect(line).toHaveCSS('display', 'inline');
});

test('layout: dialogs and menus fit the narrowest window', async ({ openSite, page }) => {
  await acceptLeads(
    page,
    'Thank you for a message of which the middle isUnusuallyLongAndWithoutAnySpaceToBreakAt.',
  );
  await page.setViewportSize({ width: 320, height: 568 });
  await openSite();

  await test.step('the side menu', async () => {
    const menu = await openNavigation(page, true);
    await expect(menu.getByRole('link', { name: 'Start Free Trial' })).toBeVisible();
    await expect.poll(() => contentTooWide(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(menu).toHaveCount(0);
  });

  await test.step('a dialog with errors', async () => {
    const form = await openLeadForm(page, trial);
    await sendButton(form).click();
    await expect(form).toContainText('Message must be at least 10 characters');
    expect(await contentTooWide(page)).toEqual([]);
    await page.keyboard.press('Escape');
  });

  await test.step('a toast', async () => {
    await sendLead(page, contact);
    await expect(toasts(page)).toBeVisible();
    await expect.poll(() => contentTooWide(page)).toEqual([]);
    const box = await toasts(page).boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect(Number(box?.x) + Number(box?.width)).toBeLessThanOrEqual(320);
  });
});

test('layout: dialogs open without constructed stylesheets', onceOnDesktop, async ({ page, openSite }) => {
  // The lock on scrolling constructs one, which older browsers refuse.
  await page.addInitScript(() => {
    globalThis.CSSStyleSheet = new Proxy(CSSStyleSheet, {
      construct() {
        throw new TypeError('Illegal constructor');
      },
    });
  });
  await openSite();
  await expect(await openLeadForm(page, trial)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

for (const [name, width] of [
  ['Schedule Demo', 1280],
  ['Open menu', 390],
] as const)
  test(
    `layout: a double-click on "${name}" opens a dialog, which a press beside it closes`,
    onceOnDesktop,
    async ({ page, openSite }) => {
      await page.setViewportSize({ width, height: 800 });
      await openSite();
      const devtools = await page.context().newCDPSession(page);
      await devtools.send('Animation.enable');
      // The time stands still in which a second press counts as that of a double-click.
      await devtools.send('Animation.setPlaybackRate', { playbackRate: 0 });
      const opener = page.getByRole('button', { name, includeHidden: true }).first();
      const dialog = page.getByRole('dialog');
      await opener.click();
      await expect(dialog).toBeVisible();
      // At its place in the end, where its button to close may be below the pointer.
      await dialog.evaluate((element) => {
        for (const animation of element.getAnimations()) animation.finish();
      });
      await page.mouse.down();
      await page.mouse.up();
      await expect(dialog).toBeVisible();
      await devtools.send('Animation.setPlaybackRate', { playbackRate: 1 });
      await expect(async () => {
        await page.mouse.click(5, 5);
        await expect(dialog).toHaveCount(0, { timeout: 500 });
      }).toPass();
      // Nothing covers the page any more.
      await opener.click();
      await expect(dialog).toBeVisible();
    },
  );
