import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { LimitsTable } from './limits-table.tsx';

test('limits table: every element keeps its role in any layout', () => {
  const { container } = render(<LimitsTable />);
  // The `display` of the narrowest layout takes the implicit roles away in Safari, so each element needs an explicit one.
  for (const [elements, role] of Object.entries({
    table: 'table',
    'thead, tbody': 'rowgroup',
    tr: 'row',
    'thead th': 'columnheader',
    'tbody th': 'rowheader',
    td: 'cell',
  })) {
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
    await wait(pause);
    await user.hover(label('Templating'));
    expect(screen.queryAllByRole('tooltip')).toHaveLength(shown);
  });
});
