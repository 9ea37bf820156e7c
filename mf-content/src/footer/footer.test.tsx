import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { brand } from '@countersign/contracts/brand';
import { createEvent, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import Footer from './footer.tsx';

test.each([
  ['Product', ['Features', 'Pricing', 'API Documentation', 'Integrations']],
  ['Company', ['About', 'Blog', 'Careers', 'Contact']],
  ['Support', ['Help Center', 'Security', 'Privacy Policy', 'Terms of Service']],
])('footer: the group %s lists its links in order', (title, labels) => {
  render(<Footer shell={createShellStub()} />);
  const group = within(screen.getByRole('list', { name: title }));
  const names = group.getAllByRole('link').map((link) => link.firstChild?.textContent);
  expect(names).toEqual(labels);
});

test('footer link: the browser handles a click with a modifier key', () => {
  const shell = createShellStub(() => jest.fn());
  render(<Footer shell={shell} />);
  const link = screen.getByRole('link', { name: 'Pricing' });
  const click = createEvent.click(link, { ctrlKey: true });
  fireEvent(link, click);
  expect(click.defaultPrevented).toBe(false);
  expect(shell.scrollToSection).not.toHaveBeenCalled();
});

test('footer: the Tab key stops at working links only', async () => {
  const user = userEvent.setup();
  render(<Footer shell={createShellStub()} />);
  for (const name of ['Features', 'Pricing', 'API Documentation', 'Contact']) {
    await user.tab();
    expect(screen.getByRole('link', { name })).toHaveFocus();
  }
  await user.tab();
  expect(document.body).toHaveFocus();
});

test('footer: words of Support are links to the pages that the operator has', () => {
  const page = { ...createShellStub().page, privacyUrl: 'https://www.example/privacy' };
  render(<Footer shell={createShellStub(undefined, { page })} />);
  expect(screen.getByRole('link', { name: /^Privacy Policy/ })).toHaveAttribute('href', page.privacyUrl);
  expect(screen.getByRole('link', { name: /^Terms of Service/ })).toHaveAttribute('aria-disabled', 'true');
});

test('footer: the copyright line contains 2024 and the brand', () => {
  render(<Footer shell={createShellStub()} />);
  const footer = within(screen.getByRole('contentinfo'));
  expect(footer.getByText(/^©/)).toHaveTextContent(`© 2024 ${brand}`);
});
