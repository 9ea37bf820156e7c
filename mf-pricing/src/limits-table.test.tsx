import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { LimitsTable } from './limits-table.tsx';

const rows = [
  ['Sign requests per month', '3', '10', '50', 'Unlimited'],
  ['Unlimited shares per month', 'yes', 'yes', 'yes', 'yes'],
  ['Max storage per collection', '10MB', '20MB', '20MB', '50MB'],
  ['Max storage overall', '50MB', '200MB', '2GB', 'Unlimited'],
  ['Signees per collection', '1', '1', 'Multiple', 'Unlimited'],
  ['Secure sharing', 'yes', 'yes', 'yes', 'yes'],
  ['Templating', 'Basic', 'Advanced', 'Advanced', 'Advanced'],
  ['Multiparty signature', 'no', 'no', 'yes', 'yes'],
  ['Priority support', 'no', 'no', 'yes', 'yes'],
] as const;

test('limits table: named by its heading, with a column for each plan', () => {
  render(<LimitsTable />);
  const table = within(screen.getByRole('table', { name: 'What each plan includes' }));
  expect(table.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
    'Free',
    'Powered User',
    'Team Leader',
    'Enterprise',
  ]);
  expect(table.getAllByRole('rowheader')).toHaveLength(rows.length);
});

test.each(rows)('limits: %s: Free %s, Powered User %s, Team Leader %s, Enterprise %s', (label, ...values) => {
  render(<LimitsTable />);
  const row = screen.getByRole('rowheader', { name: label }).closest('tr');
  if (!row) throw new Error('A row header stands outside of a row.');
  expect(
    within(row)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toEqual(values);
});

test.each([
  { elements: 'table', role: 'table' },
  { elements: 'thead, tbody', role: 'rowgroup' },
  { elements: 'tr', role: 'row' },
  { elements: 'thead th', role: 'columnheader' },
  { elements: 'tbody th', role: 'rowheader' },
  { elements: 'td', role: 'cell' },
])('limits table: $elements keeps the role $role in any layout', ({ elements, role }) => {
  const { container } = render(<LimitsTable />);
  const roles = [...container.querySelectorAll(elements)].map((element) => element.getAttribute('role'));
  expect(new Set(roles)).toEqual(new Set([role]));
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

  test('focus shows an explanation at once, and Escape hides it', async () => {
    await user.tab();
    expect(label('Sign requests per month')).toHaveFocus();
    expect(screen.getByRole('tooltip')).toHaveTextContent(
      'How many times in a month you can send something out to be signed.',
    );
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('tooltip')).not.toBeInTheDocument();
  });

  test('a tap on a label shows its explanation', async () => {
    await user.pointer({ keys: '[TouchA]', target: label('Signees per collection') });
    expect(label('Signees per collection')).toHaveAccessibleDescription(signees);
  });
});
