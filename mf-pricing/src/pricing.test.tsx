import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Pricing from './pricing.tsx';

const paid = [
  { name: 'Powered User', monthly: '$5.99', yearly: '$60.99', description: 'Everything in Free +' },
  { name: 'Team Leader', monthly: '$12.99', yearly: '$129.99', description: 'Everything in Powered User +' },
  { name: 'Enterprise', monthly: '$29.99', yearly: '$299.99', description: 'Everything unlimited' },
];

function renderPricing() {
  const shell = createShellStub(() => jest.fn());
  return { shell, ...render(<Pricing shell={shell} />) };
}

const card = (name: string) => within(screen.getByRole('article', { name }));

test('pricing: paid plans come first, then Free and Direct API', () => {
  renderPricing();
  const names = screen
    .getAllByRole('article')
    .map((article) => within(article).getByRole('heading').textContent);
  expect(names).toEqual(['Powered User', 'Team Leader', 'Enterprise', 'Free', 'Direct API']);
});

test.each(paid)('plan card: $name lists its contents and initially costs $monthly per month', (plan) => {
  renderPricing();
  const { getByRole, getByText } = card(plan.name);
  expect(getByRole('radiogroup', { name: `Billing interval of ${plan.name}` })).toBeInTheDocument();
  expect(getByRole('radio', { name: 'Monthly' })).toBeChecked();
  expect(getByText(plan.monthly).closest('p')).toHaveTextContent(`${plan.monthly} USD per month`);
  expect(getByRole('listitem')).toHaveTextContent(plan.description);
});

test.each(paid)('billing: the markup of $name has the price of $yearly per year too', (plan) => {
  renderPricing();
  expect(card(plan.name).getByText(plan.yearly).closest('p')).toHaveTextContent(
    `${plan.yearly} USD per year`,
  );
});

test('billing: an interval stays chosen, for its plan only, when the page renders the part again', async () => {
  const { shell, rerender } = renderPricing();
  await userEvent.click(card('Enterprise').getByRole('radio', { name: 'Yearly' }));
  rerender(<Pricing shell={{ ...shell }} />);
  expect(card('Enterprise').getByRole('radio', { name: 'Yearly' })).toBeChecked();
  expect(card('Team Leader').getByRole('radio', { name: 'Monthly' })).toBeChecked();
  await userEvent.keyboard('{ArrowLeft}');
  expect(card('Enterprise').getByRole('radio', { name: 'Monthly' })).toBeChecked();
});

test.each(paid)('billing: $name says at the toggle what a year saves', ({ name }) => {
  renderPricing();
  expect(card(name).getByRole('radiogroup')).toHaveAccessibleDescription('Yearly: about 2 months free');
});

test('price: a change is announced as a whole', () => {
  renderPricing();
  for (const price of ['$12.99', '$129.99']) {
    const region = card('Team Leader').getByText(price).closest('[aria-live]');
    expect(region).toHaveAttribute('aria-live', 'polite');
    expect(region).toHaveAttribute('aria-atomic', 'true');
  }
});

test('pricing: only Team Leader is marked Most Popular', () => {
  renderPricing();
  expect(screen.getAllByText('Most Popular')).toHaveLength(1);
  expect(card('Team Leader').getByText('Most Popular')).toBeInTheDocument();
});

test.each([
  { name: 'Powered User', limits: ['10', '200MB', '1'] },
  { name: 'Team Leader', limits: ['50', '2GB', 'Multiple'] },
  { name: 'Enterprise', limits: ['Unlimited', 'Unlimited', 'Unlimited'] },
])('plan card: $name repeats the main limits', ({ name, limits }) => {
  renderPricing();
  const { getAllByRole } = card(name);
  expect(getAllByRole('term').map((term) => term.textContent)).toEqual([
    'Sign requests per month',
    'Max storage overall',
    'Signees per collection',
  ]);
  expect(getAllByRole('definition').map((value) => value.textContent)).toEqual(limits);
});

test('pricing: Free costs nothing', () => {
  renderPricing();
  const { getByRole, getByText, queryByRole } = card('Free');
  expect(getByText('$0').closest('p')).toHaveTextContent('$0 USD per month');
  expect(getByRole('listitem')).toHaveTextContent('Personal document collections');
  expect(queryByRole('radio')).not.toBeInTheDocument();
});

test('pricing: Direct API has text as its price, without currency or interval', () => {
  renderPricing();
  const { getByRole, getByText, queryByText } = card('Direct API');
  expect(getByText('Contact Support', { selector: 'p' })).toBeInTheDocument();
  expect(queryByText(/USD|\$|per (month|year)/)).not.toBeInTheDocument();
  expect(getByRole('listitem')).toHaveTextContent('Direct API access');
});

test.each([
  { name: 'Powered User', link: 'Start Free Trial' },
  { name: 'Team Leader', link: 'Start Free Trial' },
  { name: 'Enterprise', link: 'Start Free Trial' },
  { name: 'Free', link: 'Get Free' },
  { name: 'Direct API', link: 'Contact Support' },
])('plan card: the link $link of $name leads to the login page', ({ name, link }) => {
  const { shell } = renderPricing();
  const action = card(name).getByRole('link', { name: link });
  expect(action).toHaveAccessibleDescription(name);
  expect(action).toHaveAttribute('href', `${shell.page.appHost}/login`);
});
