import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createShellStub } from './shell-stub.ts';
import { SideMenu } from './side-menu.tsx';

async function openMenu(shell = createShellStub()) {
  const user = userEvent.setup();
  render(<SideMenu shell={shell} />);
  const opener = screen.getByRole('button', { name: 'Open menu' });
  await user.click(opener);
  return { user, shell, opener, menu: within(screen.getByRole('dialog', { name: 'Menu' })) };
}

test('the side menu has the same items as the header', async () => {
  const { menu } = await openMenu();
  const links = within(menu.getByRole('navigation'))
    .getAllByRole('link')
    .map((link) => link.textContent);
  expect(links).toEqual(['Features', 'Pricing', 'API', 'Contact']);
});

test('choosing an item closes the side menu first, then scrolls', async () => {
  const shell = createShellStub();
  const menusWhenScrolling: number[] = [];
  jest.mocked(shell.scrollToSection).mockImplementation(() => {
    menusWhenScrolling.push(screen.queryAllByRole('dialog').length);
  });
  const { user, menu, opener } = await openMenu(shell);
  await user.click(menu.getByRole('link', { name: 'Pricing' }));
  await act(async () => new Promise((resolve) => setTimeout(resolve)));
  expect(shell.scrollToSection).toHaveBeenCalledWith('pricing');
  expect(menusWhenScrolling).toEqual([0]);
  // The section takes the focus; the menu must not take it back.
  expect(opener).not.toHaveFocus();
});

test('Escape closes the side menu and gives the focus back to its button', async () => {
  const { user, shell, opener } = await openMenu();
  await user.keyboard('{Escape}');
  await act(async () => new Promise((resolve) => setTimeout(resolve)));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  expect(opener).toHaveFocus();
  expect(shell.scrollToSection).not.toHaveBeenCalled();
});

test('the focus stays inside the open side menu', async () => {
  const { user, menu } = await openMenu();
  const close = menu.getByRole('button', { name: 'Close menu' });
  const last = menu.getByRole('link', { name: 'Start Free Trial' });
  act(() => last.focus());
  await user.tab();
  expect(close).toHaveFocus();
  await user.tab({ shift: true });
  expect(last).toHaveFocus();
});

test.each(['Sign In', 'Start Free Trial'])('%s in the side menu leads to the login page', async (name) => {
  const { shell, menu } = await openMenu();
  expect(menu.getByRole('link', { name })).toHaveAttribute('href', `${shell.page.appHost}/login`);
});

test('the side menu shows which theme is chosen, and takes another choice without closing', async () => {
  const { user, shell, menu } = await openMenu(createShellStub('light'));
  const themes = within(menu.getByRole('group', { name: 'Theme' }));
  expect(themes.getAllByRole('radio', { checked: true })).toEqual([themes.getByLabelText('Light')]);
  await user.click(themes.getByLabelText('System'));
  expect(shell.theme.setPreference).toHaveBeenCalledWith('system');
  expect(screen.getByRole('dialog')).toBeInTheDocument();
});

test('the side menu closes when the window grows and its button goes away', async () => {
  const { opener } = await openMenu();
  act(() => void window.dispatchEvent(new Event('resize')));
  expect(screen.getByRole('dialog')).toBeInTheDocument();
  opener.style.display = 'none';
  act(() => void window.dispatchEvent(new Event('resize')));
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
});
