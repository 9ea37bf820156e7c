import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { LimitsTable } from './limits-table.tsx';

const rows = [
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

test('limits table: named by its heading, with the limits of each plan', () => {
  render(<LimitsTable />);
  const table = screen.getByRole('table', { name: 'What each plan includes' });
  const shown = within(table).getAllByRole('row');
  expect(shown.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual(rows);
});

test('limits table: every element keeps its role in any layout', () => {
  const { container } = render(<LimitsTable />);
  const roles = Object.entries({
    table: 'table',
    'thead, tbody': 'rowgroup',
    tr: 'row',
    'thead th': 'columnheader',
    'tbody th': 'rowheader',
    td: 'cell',
  });
  for (const [elements, role] of roles) {
    expect(container.querySelector(elements)).toBeInTheDocument();
    for (const element of container.querySelectorAll(elements)) expect(element).toHaveAttribute('role', role);
  }
});

describe('explanations', () => {
  const signees = 'How many people you can ask to sign the documents of one collection.';
  const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  const label = (name: string) => screen.getByRole('button', { name });
  const wait = (milliseconds: number) => act(() => jest.advanceTimersByTimeAsync(milliseconds));

  beforeEach(() => {
    jest.useFakeTimers();
    render(<LimitsTable />);
  });

  afterEach(() => jest.useRealTimers());

  test('a pointer on a label shows its explanation after 700 ms', async () => {
    await user.hover(label('Signees per collection'));
    await wait(650);
    expect(screen.queryByRole('tooltip')).not.toBeInTheDocument();
    await wait(50);
    expect(label('Signees per collection')).toHaveAccessibleDescription(signees);
  });

  test.each([
    { pause: 250, shown: 1, what: 'at once' },
    { pause: 350, shown: 0, what: 'not at once' },
  ])('$pause ms after one explanation, the next one appears $what', async ({ pause, shown }) => {
    await user.hover(label('Signees per collection'));
    await wait(700);
    await user.unhover(label('Signees per collection'));
    await user.keyboard('{Escape}');
    await wait(pause);
    await user.hover(label('Templating'));
    expect(screen.queryAllByRole('tooltip')).toHaveLength(shown);
  });
});
