import { loginAddress, standInForApplication } from '../login-page.ts';
import { expect, test } from '../page-test.ts';

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

const actions = [
  ...paidPlans.map(({ name }) => ({ name, action: 'Start Free Trial' })),
  ...otherPlans.map(({ name, action }) => ({ name, action })),
];

test('each plan says its price, what it is and how to begin; only Team Leader is Most Popular', async ({
  openSite,
}) => {
  const page = await openSite();
  const pricing = page.locator('#pricing');
  await expect(pricing.getByRole('article').getByRole('heading')).toHaveText(actions.map(({ name }) => name));

  for (const { name, month, description } of paidPlans) {
    const card = pricing.getByRole('article', { name });
    await expect(card.getByRole('paragraph').filter({ hasText: '$' })).toHaveText(month);
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
});

test('choosing an interval changes the price of that plan and of no other', async ({ openSite }) => {
  const page = await openSite();
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
});

test('the paid plans stand in the first row, Free and Direct API in the second', async ({
  isMobile,
  openSite,
}) => {
  const page = await openSite();
  const boxes = await Promise.all(
    actions.map(async ({ name }) => {
      const box = await page.locator('#pricing').getByRole('article', { name }).boundingBox();
      if (!box) throw new Error(`${name} is not visible.`);
      return box;
    }),
  );
  const rows = boxes.map(({ y }) => Math.round(y));
  if (isMobile) {
    // One below the other: what is a row elsewhere is the order here.
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

test('the link of every plan leads to the login page, and asks the site for nothing', async ({
  context,
  site,
}) => {
  await standInForApplication(context);
  const calls: string[] = [];
  context.on('request', (request) => {
    if (request.url().includes('/api/')) calls.push(request.url());
  });
  await Promise.all(
    actions.map(async ({ name, action }) => {
      const page = await context.newPage();
      await page.goto(site.url);
      await page.getByRole('article', { name }).getByRole('link', { name: action }).click();
      await expect(page).toHaveURL(loginAddress);
    }),
  );
  expect(calls).toEqual([]);
});

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

test('the table of limits says what each plan includes', async ({ openSite }) => {
  const page = await openSite();
  const rows = page.locator('#pricing').getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(limits.length);
  for (const [index, row] of limits.entries()) {
    await expect.soft(rows.nth(index).locator('th, td')).toHaveText(row);
  }
});
