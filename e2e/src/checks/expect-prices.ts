import { expect, type Page } from '@playwright/test';

/** Paid plans at both prices. */
const paidPlans = [
  {
    name: 'Powered User',
    month: '$5.99 USD per month',
    year: '$60.99 USD per year',
    description: 'Everything in Free +',
  },
  {
    name: 'Team Leader',
    month: '$12.99 USD per month',
    year: '$129.99 USD per year',
    description: 'Everything in Powered User +',
  },
  {
    name: 'Enterprise',
    month: '$29.99 USD per month',
    year: '$299.99 USD per year',
    description: 'Everything unlimited',
  },
] as const;

const otherPlans = [
  {
    name: 'Free',
    price: '$0 USD per month',
    description: 'Personal document collections',
    action: 'Get Free',
  },
  {
    name: 'Direct API',
    price: 'Contact Support',
    description: 'Direct API access',
    action: 'Contact Support',
  },
] as const;

/** Text of each plan's link, in the order of the plans. */
export const planActions = [
  ...paidPlans.map(({ name }) => ({ name, action: 'Start Free Trial' })),
  ...otherPlans.map(({ name, action }) => ({ name, action })),
];

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

/** Expects price, description and link of each plan. Only Team Leader is Most Popular. */
export async function expectPlans(page: Page): Promise<void> {
  const pricing = page.locator('#pricing');
  await expect(pricing.getByRole('article').getByRole('heading')).toHaveText(
    planActions.map(({ name }) => name),
  );

  for (const { name, month, description } of paidPlans) {
    const card = pricing.getByRole('article', { name });
    await expectPrice(page, name, month);
    await expect(card.getByRole('radio', { name: 'Monthly' })).toBeChecked();
    await expect(card.getByRole('listitem')).toHaveText([description]);
    await expect(card.getByRole('link')).toHaveText('Start Free Trial');
    await expect(card.getByText('Most Popular', { exact: true })).toHaveCount(name === 'Team Leader' ? 1 : 0);
  }
  for (const { name, price, description, action } of otherPlans) {
    const card = pricing.getByRole('article', { name });
    await expect(card.getByRole('paragraph')).toHaveText([price]);
    await expect(card.getByRole('radio')).toHaveCount(0);
    await expect(card.getByRole('listitem')).toHaveText([description]);
    await expect(card.getByRole('link')).toHaveText(action);
  }
}

/** The first row names the plans, the first column the limits. */
const limits = [
  ['', 'Free', 'Powered User', 'Team Leader', 'Enterprise'],
  ['Sign requests per month', '3', '10', '50', 'Unlimited'],
  ['Unlimited shares per month', 'yes', 'yes', 'yes', 'yes'],
  ['Max storage per collection', '10MB', '20MB', '20MB', '50MB'],
  ['Max storage overall', '50MB', '200MB', '2GB', 'Unlimited'],
  ['Signees per collection', '1', '1', 'Multiple', 'Unlimited'],
  ['Secure sharing', 'yes', 'yes', 'yes', 'yes'],
  ['Templating', 'Basic', 'Advanced', 'Advanced', 'Advanced'],
  ['Multiparty signature', 'no', 'no', 'yes', 'yes'],
  ['Priority support', 'no', 'no', 'yes', 'yes'],
];

/** Expects the limits of each plan in the table. */
export async function expectLimits(page: Page): Promise<void> {
  const rows = page.locator('#pricing').getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(limits.length);
  for (const [index, row] of limits.entries()) {
    await expect.soft(rows.nth(index).locator('th, td')).toHaveText(row);
  }
}
