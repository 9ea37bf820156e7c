import type { Page } from '@playwright/test';
import { contrastViolations } from '../checks/accessibility-violations.ts';
import { onceOnDesktop, expect, test } from '../site/page-test.ts';

/** Shapes of the page's drawings whose color is none of the system's. */
async function foreignColors(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('span'));
    const system = ['Canvas', 'CanvasText', 'Highlight', 'HighlightText', 'LinkText', 'ButtonText'].map(
      (name) => {
        probe.style.color = name;
        return getComputedStyle(probe).color;
      },
    );
    probe.remove();
    const invisible = ['none', 'rgba(0, 0, 0, 0)'];
    return [...document.querySelectorAll('svg :not(defs, defs *, g)')].flatMap((shape) => {
      const { fill, stroke } = getComputedStyle(shape);
      const slot = shape.closest('[data-remote]');
      return [fill, stroke]
        .filter((color) => !invisible.includes(color) && !system.includes(color))
        .map((color) => `${shape.localName} in ${slot?.querySelector('h1, h2')?.textContent}: ${color}`);
    });
  });
}

for (const [forced, stored] of [
  ['light', 'dark'],
  ['dark', 'light'],
] as const) {
  test.describe(() => {
    test.use({ colorScheme: forced, contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

    test(
      `forced colors: drawings have the ${forced} colors of the system despite a stored ${stored} theme`,
      onceOnDesktop,
      async ({ openSite, page }) => {
        await page.addInitScript((theme) => localStorage.setItem('countersign-theme', theme), stored);
        await openSite();
        expect(await page.evaluate(() => matchMedia('(forced-colors: active)').matches)).toBe(true);
        expect(await foreignColors(page)).toEqual([]);
      },
    );
  });
}

test.describe(() => {
  test.use({ contextOptions: { forcedColors: 'active', reducedMotion: 'reduce' } });

  test('forced colors: states remain visible', async ({ isMobile, openSite }) => {
    const page = await openSite();

    await test.step('the chosen interval of a plan', async () => {
      const interval = page.getByRole('radiogroup').first();
      const lookOf = (name: string) =>
        interval.getByText(name, { exact: true }).evaluate((label) => {
          const { backgroundColor, borderTopColor, color } = getComputedStyle(label);
          return { backgroundColor, borderTopColor, color };
        });
      expect(await lookOf('Monthly')).not.toEqual(await lookOf('Yearly'));
    });

    // The focus is shown after a key only.
    await test.step('the focus', async () => {
      const link = isMobile
        ? page.getByRole('button', { name: 'Open menu' })
        : page.getByRole('link', { name: 'Sign In' });
      await page.keyboard.press('Tab');
      await page.getByRole('link', { name: 'Skip to content' }).press('Tab');
      await link.focus();
      await expect(link).toHaveCSS('outline-style', 'solid');
      await expect(link).not.toHaveCSS('outline-width', '0px');
    });

    await test.step('frames of buttons and fields', async () => {
      const buttons = page.getByRole('main').getByRole('link', { name: 'Start Free Trial' });
      for (const button of await buttons.all()) await expect(button).toHaveCSS('border-top-style', 'solid');
      for (const field of await page.getByRole('textbox').all()) {
        await expect(field).toHaveCSS('border-top-style', 'solid');
      }
    });
  });
});

test('contrast: enough if the system asks for more', onceOnDesktop, async ({ openSite }) => {
  const page = await openSite();
  expect(await contrastViolations(page, 'color-contrast-enhanced', { contrast: 'more' })).toEqual([]);
});
