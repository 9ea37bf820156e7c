import { expect, type Page } from '@playwright/test';

/** Plans with two prices, in the order of the page. */
export const paidPlans = [
  { name: 'Powered User', month: '$5.99 USD per month', year: '$60.99 USD per year' },
  { name: 'Team Leader', month: '$12.99 USD per month', year: '$129.99 USD per year' },
  { name: 'Enterprise', month: '$29.99 USD per month', year: '$299.99 USD per year' },
] as const;

/** Expects the price that a plan shows. The other price is in the markup as well, but hidden. */
export async function expectPrice(page: Page, name: string, price: string): Promise<void> {
  const card = page.locator('#pricing').getByRole('article', { name });
  await expect(card.getByRole('paragraph').filter({ hasText: '$' })).toHaveText([price]);
}

/** Chooses both intervals of each paid plan, and expects that the price of this plan alone changes. */
export async function expectPriceOfInterval(page: Page): Promise<void> {
  const cards = page.locator('#pricing').getByRole('article');
  const prices = cards.getByRole('paragraph').filter({ hasText: '$' });
  const expected: string[] = [...paidPlans.map(({ month }) => month), '$0 USD per month'];
  await expect(prices).toHaveText(expected);

  for (const [interval, label] of [
    ['year', 'Yearly'],
    ['month', 'Monthly'],
  ] as const) {
    for (const [index, plan] of paidPlans.entries()) {
      await cards.nth(index).getByRole('radio', { name: label }).check();
      expected[index] = plan[interval];
      await expect(prices).toHaveText(expected);
    }
  }
}
