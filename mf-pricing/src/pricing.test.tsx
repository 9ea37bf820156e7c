import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import Pricing from './pricing.tsx';

function renderPricing() {
  const shell = createShellStub(() => jest.fn());
  return { shell, ...render(<Pricing shell={shell} />) };
}

const card = (name: string) => within(screen.getByRole('article', { name }));

test.each([
  { name: 'Powered User', description: 'Everything in Free +', limits: ['10', '200MB', '1'] },
  { name: 'Team Leader', description: 'Everything in Powered User +', limits: ['50', '2GB', 'Multiple'] },
  {
    name: 'Enterprise',
    description: 'Everything unlimited',
    limits: ['Unlimited', 'Unlimited', 'Unlimited'],
  },
])('plan card: $name has its saving, its contents and its main limits', ({ name, description, limits }) => {
  renderPricing();
  const { getAllByRole, getByRole, getByText } = card(name);
  expect(getByRole('radiogroup', { name: `Billing interval of ${name}` })).toHaveAccessibleDescription(
    'Yearly: about 2 months free',
  );
  expect(getByRole('radio', { name: 'Monthly' })).toBeChecked();
  // A change is announced as a whole.
  expect(getByText('USD per month').closest('[aria-live=polite]')).toHaveAttribute('aria-atomic', 'true');
  expect(getByRole('listitem')).toHaveTextContent(description);
  expect(getAllByRole('term').map((term) => term.textContent)).toEqual([
    'Sign requests per month',
    'Max storage overall',
    'Signees per collection',
  ]);
  expect(getAllByRole('definition').map((value) => value.textContent)).toEqual(limits);
});

test('billing: an interval stays chosen, for its plan only, after another render of the part', async () => {
  const { shell, rerender } = renderPricing();
  await userEvent.click(card('Enterprise').getByRole('radio', { name: 'Yearly' }));
  rerender(<Pricing shell={{ ...shell }} />);
  expect(card('Enterprise').getByRole('radio', { name: 'Yearly' })).toBeChecked();
  expect(card('Team Leader').getByRole('radio', { name: 'Monthly' })).toBeChecked();
  await userEvent.keyboard('{ArrowLeft}');
  expect(card('Enterprise').getByRole('radio', { name: 'Monthly' })).toBeChecked();
});

test('plan card: each link says to which plan it belongs', () => {
  renderPricing();
  for (const link of screen.getAllByRole('link')) {
    expect(link).toHaveAccessibleDescription(
      within(link.closest('article') ?? document.body).getByRole('heading').textContent,
    );
  }
  expect(screen.getAllByRole('link')).toHaveLength(5);
});
