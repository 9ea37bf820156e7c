import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import Footer from './footer.tsx';

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
