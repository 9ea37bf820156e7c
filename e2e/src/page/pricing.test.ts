import { expectPrice, expectPriceOfInterval, paidPlans } from '../checks/expect-prices.ts';
import { onceOnDesktop, expect, test } from '../site/page-test.ts';

test('pricing: an interval changes the price of its plan only', async ({ openSite }) => {
  await expectPriceOfInterval(await openSite());
});

test(
  'pricing: an interval changes the price on a translated page too',
  onceOnDesktop,
  async ({ openSite }) => {
    const page = await openSite();
    // Translators in browsers replace each text node by another one in two <font> elements.
    await page.locator('#pricing').evaluate((section) => {
      const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        const translation = document.createElement('font');
        translation.appendChild(document.createElement('font')).textContent = text.data;
        text.replaceWith(translation);
      }
    });
    await expectPriceOfInterval(page);
  },
);

test('pricing: Back returns to the chosen interval', onceOnDesktop, async ({ openSite }) => {
  const page = await openSite();
  await page.getByRole('article', { name: 'Enterprise' }).getByRole('radio', { name: 'Yearly' }).check();
  await openSite('/?elsewhere');
  await page.goBack();
  await page.locator('[data-exposed="./pricing"][data-version]').waitFor({ state: 'attached' });
  await expectPrice(page, 'Enterprise', '$299.99 USD per year');
});

const planNames = [...paidPlans.map(({ name }) => name), 'Free', 'Direct API'];

test('pricing: paid plans in the first row, Free and Direct API in the second', async ({
  isMobile,
  openSite,
}) => {
  const page = await openSite();
  const boxes = await Promise.all(
    planNames.map(async (name) => {
      const box = await page.locator('#pricing').getByRole('article', { name }).boundingBox();
      if (!box) throw new Error(`${name} is not visible.`);
      return box;
    }),
  );
  const rows = boxes.map(({ y }) => Math.round(y));
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
