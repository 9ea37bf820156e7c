import { expectPrice } from '../checks/expect-prices.ts';
import { onceOnDesktop, expect, test } from '../site/page-test.ts';
import { sectionOf } from '../driver/landing-page.ts';

test('pricing: Back returns to the chosen interval', onceOnDesktop, async ({ openSite }) => {
  const page = await openSite();
  await page.getByRole('article', { name: 'Enterprise' }).getByRole('radio', { name: 'Yearly' }).check();
  await openSite('/?elsewhere');
  await page.goBack();
  await page.locator('[data-exposed="./pricing"][data-version]').waitFor({ state: 'attached' });
  await expectPrice(page, 'Enterprise', '$299.99 USD per year');
});

const planNames = ['Powered User', 'Team Leader', 'Enterprise', 'Free', 'Direct API'];

test('pricing: paid plans in the first row, Free and Direct API in the second', async ({
  isMobile,
  openSite,
}) => {
  const page = await openSite();
  const boxes = await Promise.all(
    planNames.map(async (name) => {
      const box = await sectionOf(page, 'pricing').getByRole('article', { name }).boundingBox();
      if (!box) throw new Error(`${name} is not visible.`);
      return box;
    }),
  );
  const rows = boxes.map(({ y }) => Math.round(y));
  const badge = await sectionOf(page, 'pricing').getByText('Most Popular').boundingBox();
  // On the upper edge of its card.
  expect(Math.abs((badge?.y ?? 0) + (badge?.height ?? 0) / 2 - (boxes[1]?.y ?? 0))).toBeLessThan(4);
  if (isMobile) {
    // A phone shows the plans in one column, in this order.
    expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
    return;
  }
  const [first = 0, , , second = 0] = rows;
  expect(rows).toEqual([first, first, first, second, second]);
  expect(second).toBeGreaterThan(first);
  const columns = boxes.map(({ x }) => x);
  expect(columns.slice(0, 3)).toEqual(columns.slice(0, 3).sort((a, b) => a - b));
  expect(columns[3]).toBeLessThan(Number(columns[4]));
});
