import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { SideMenu } from './side-menu.tsx';

async function openMenu() {
  const shell = createShellStub(() => jest.fn(), { preference: 'light' });
  const user = userEvent.setup();
  render(<SideMenu shell={shell} />);
  const opener = screen.getByRole('button', { name: 'Open menu' });
  expect(opener).toHaveAttribute('aria-haspopup', 'dialog');
  expect(opener).toHaveAttribute('aria-expanded', 'false');
  await user.click(opener);
  expect(opener).toHaveAttribute('aria-expanded', 'true');
  return { user, shell, opener, menu: screen.getByRole('dialog', { name: 'Menu' }) };
}

test('side menu: an item closes it, then scrolls', async () => {
  const { user, shell, menu, opener } = await openMenu();
  const menusWhenScrolling: number[] = [];
  jest.mocked(shell.scrollToSection).mockImplementation(() => {
    menusWhenScrolling.push(screen.queryAllByRole('dialog').length);
  });
  await user.click(within(menu).getByRole('link', { name: 'Pricing' }));
  await waitFor(() => expect(shell.scrollToSection).toHaveBeenCalledWith('pricing'));
  expect(menusWhenScrolling).toEqual([0]);
  // The section gets the focus, and the menu must not restore its own.
  expect(opener).not.toHaveFocus();
});

test('side menu: closes when its button is hidden', async () => {
  const { opener } = await openMenu();
  act(() => void window.dispatchEvent(new Event('resize')));
  expect(screen.getByRole('dialog')).toBeInTheDocument();
  opener.style.display = 'none';
  act(() => void window.dispatchEvent(new Event('resize')));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});
