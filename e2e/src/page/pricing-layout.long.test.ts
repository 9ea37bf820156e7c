import type { Locator, Page } from '@playwright/test';
import { accessibilityViolations } from '../checks/accessibility-violations.ts';
import { contentTooWide, expectNoneAtWidths } from '../checks/content-too-wide.ts';
import { onceOnDesktop, expect, test } from '../site/page-test.ts';
import { sectionOf } from '../driver/landing-page.ts';

/** Edges in CSS pixels, from the top left corner of the window. */
const boxOf = (element: Locator) => element.evaluate((node) => node.getBoundingClientRect());

const pricing = (page: Page) => sectionOf(page, 'pricing');
const card = (page: Page, name: string) => pricing(page).getByRole('article', { name });

/** Finds parts of cards that are not at the same height as in the other cards of the row. */
const misalignedParts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const cards = [...document.querySelectorAll('#pricing article')];
    const topOf = (element: Element) => element.getBoundingClientRect().top;
    const parts = ['h3', '[aria-atomic] p', '[role=radiogroup]', 'a', 'ul', 'dt', 'dd'];
    return cards.flatMap((element) => {
      const row = cards.filter((other) => Math.abs(topOf(other) - topOf(element)) < 1);
      return parts.filter((part) => {
        const tops = row.map((one) => [...one.querySelectorAll(part)].map(topOf));
        const [first = []] = tops;
        return tops.some((others) => others.some((top, index) => Math.abs(top - (first[index] ?? top)) > 1));
      });
    });
  });

for (const interval of ['Monthly', 'Yearly'] as const) {
  test(`pricing: cards of a row align with ${interval} prices`, onceOnDesktop, async ({ openSite }) => {
    const page = await openSite();
    for (const radio of await page.getByRole('radio', { name: interval }).all()) await radio.check();
    const widths = Array.from({ length: 41 }, (_, index) => 320 + 40 * index);
    await expectNoneAtWidths(page, widths, misalignedParts);
  });
}

/** Finds cells of the limits table whose text is cut off, or overlaps the text of another cell. */
const collidingCells = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const texts = [...document.querySelectorAll('#pricing :is(th, td)')].flatMap((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      // An icon's text is only for screen readers.
      const text = (cell.querySelector('td svg') ?? range).getBoundingClientRect();
      // A header row of 1 px is only for screen readers as well.
      return text.width > 1 && cell.closest('thead')?.clientHeight !== 1 ? [{ cell, text }] : [];
    });
    return texts.flatMap(({ cell, text }, index) => {
      const box = cell.getBoundingClientRect();
      const isCut = text.left < box.left - 1 || text.right > box.right + 1;
      const collides = texts
        .slice(0, index)
        .some(
          (other) =>
            text.left < other.text.right &&
            other.text.left < text.right &&
            text.top < other.text.bottom - 1 &&
            other.text.top < text.bottom - 1,
        );
      return isCut || collides ? [cell.textContent] : [];
    });
  });

test(
  'limits table: readable on a phone, with labels left of their values',
  onceOnDesktop,
  async ({ openSite }) => {
    const page = await openSite();
    const row = pricing(page).getByRole('row').filter({ hasText: 'Max storage per collection' });
    await expectNoneAtWidths(page, [320, 360, 390, 430, 640], async () => {
      const label = await boxOf(row.getByRole('rowheader'));
      const value = await boxOf(row.getByRole('cell').first());
      expect.soft(value.left).toBeGreaterThanOrEqual(label.right - 1);
      return [...(await contentTooWide(page)), ...(await collidingCells(page))];
    });
  },
);

test(
  'limits table: at 32 px nothing collides, and values name their plan',
  onceOnDesktop,
  async ({ openSite }) => {
    const page = await openSite();
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'));
    await expectNoneAtWidths(page, [320, 390, 820, 1280], async () => {
      const tooWide = await pricing(page).evaluate(
        ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
      );
      expect.soft(tooWide).toBeLessThanOrEqual(0);
      return collidingCells(page);
    });
    await page.setViewportSize({ width: 390, height: 844 });
    const table = pricing(page).getByRole('table', { name: 'What each plan includes' });
    const shownPlan = await table
      .getByRole('cell', { name: 'Multiple' })
      .evaluate((cell) => getComputedStyle(cell, '::before').content);
    expect(shownPlan).toContain('Team Leader');
    expect(await accessibilityViolations(page, { colorsIn: ['#pricing'] })).toEqual([]);
  },
);

test('pricing: on a phone, price and toggle share a line, in three screens', async ({
  isMobile,
  openSite,
}) => {
  test.skip(!isMobile, 'A desktop has a column for each plan.');
  const page = await openSite();
  for (const name of ['Powered User', 'Team Leader', 'Enterprise']) {
    const toggle = card(page, name).getByRole('radiogroup');
    await toggle.scrollIntoViewIfNeeded();
    const before = await boxOf(toggle);
    await card(page, name).getByRole('radio', { name: 'Yearly' }).check();
    expect(await boxOf(toggle)).toEqual(before);
    const price = await boxOf(card(page, name).getByRole('paragraph').filter({ hasText: '$' }));
    expect(price.right).toBeLessThanOrEqual(before.left);
    expect(price.top).toBeLessThan(before.bottom);
    expect(price.bottom).toBeGreaterThan(before.top);
  }
  const { top, bottom } = await boxOf(pricing(page));
  expect(bottom - top).toBeLessThanOrEqual(3 * 844);
});

test('limits table: a low window has no sticky header row', onceOnDesktop, async ({ openSite }) => {
  const page = await openSite();
  const head = pricing(page).getByRole('rowgroup').first();
  await expect(head).toHaveCSS('position', 'sticky');
  // The rows below it do not shine through.
  await expect(head).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  // A window of 1280 × 1024 px at a zoom of 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  await expect(head).toHaveCSS('position', 'static');
});

test('pricing: buttons and toggles show that they are pressed', onceOnDesktop, async ({ openSite, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openSite();
  const leader = card(page, 'Team Leader');
  for (const [pressed, painted] of [
    [leader.getByRole('link'), leader.getByRole('link')],
    [card(page, 'Free').getByRole('link'), card(page, 'Free').getByRole('link')],
    [leader.getByRole('radio', { name: 'Yearly' }), leader.getByText('Yearly', { exact: true })],
  ] as const) {
    const background = () => painted.evaluate((element) => getComputedStyle(element).backgroundColor);
    await pressed.hover();
    const hovered = await background();
    await page.mouse.down();
    expect(await background()).not.toBe(hovered);
    // Released elsewhere, the press does nothing.
    await page.mouse.move(0, 0);
    await page.mouse.up();
  }
});
