import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import type { ThemePreference } from '@countersign/contracts/shell-api';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ThemeMenu } from './theme-menu.tsx';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function renderMenu(preference: ThemePreference) {
  const { theme } = createShellStub(() => jest.fn(), { preference });
  render(<ThemeMenu theme={theme} />);
  const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
  return { user, theme, toggle: screen.getByRole('button', { name: 'Theme' }) };
}

test('theme menu: has Light, Dark and System, with the current one checked', async () => {
  const { user, toggle } = renderMenu('dark');
  expect(toggle).toHaveAttribute('aria-haspopup', 'menu');
  expect(toggle).toHaveAttribute('aria-expanded', 'false');
  await user.click(toggle);
  expect(toggle).toHaveAttribute('aria-expanded', 'true');
  const options = screen.getAllByRole('menuitemradio');
  expect(options.map((option) => option.textContent)).toEqual(['Light', 'Dark', 'System']);
  expect(screen.getAllByRole('menuitemradio', { checked: true })).toEqual([options[1]]);
  // Only that one has a check mark beside its icon.
  expect(options.map(({ innerHTML }) => innerHTML.match(/<svg/g)?.length)).toEqual([1, 2, 1]);
});

test('theme menu: no tooltip after a choice', async () => {
  const { user, toggle } = renderMenu('light');
  await user.click(toggle);
  await user.click(screen.getByRole('menuitemradio', { name: 'Dark' }));
  act(() => void jest.advanceTimersByTime(1000));
  expect(toggle).toHaveFocus();
  expect(screen.queryByRole('tooltip')).not.toBeInTheDocument();
});

test('theme menu: keyboard focus opens the tooltip at once', async () => {
  const { user } = renderMenu('system');
  await user.tab();
  expect(screen.getByRole('tooltip')).toHaveTextContent('Theme: System');
});
