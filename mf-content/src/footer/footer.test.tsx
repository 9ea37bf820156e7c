import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { brand } from '@countersign/contracts/brand';
import { createEvent, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import Footer from './footer.tsx';

const working = [
  ['Features', 'features'],
  ['Pricing', 'pricing'],
  ['API Documentation', 'api'],
  ['Contact', 'contact'],
] as const;

const notYet = [
  'Integrations',
  'About',
  'Blog',
  'Careers',
  'Help Center',
  'Security',
  'Privacy Policy',
  'Terms of Service',
];

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

test.each(working)('footer link: %s scrolls smoothly to its section', (name, section) => {
  const shell = createShellStub(() => jest.fn());
  render(<Footer shell={shell} />);
  const link = screen.getByRole('link', { name });
  const click = createEvent.click(link);
  fireEvent(link, click);
  expect(link).toHaveAttribute('href', `#${section}`);
  expect(shell.scrollToSection).toHaveBeenCalledWith(section);
  expect(click.defaultPrevented).toBe(true);
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

test.each(notYet)('footer link: %s announces that it is not available', async (name) => {
  const shell = createShellStub(() => jest.fn());
  render(<Footer shell={shell} />);
  const link = screen.getByRole('link', { name: `${name} (not available yet)` });
  expect(link).toHaveAttribute('aria-disabled', 'true');
  expect(link).not.toHaveAttribute('href');
  expect(within(link).getByText('Soon')).toBeVisible();
  await userEvent.click(link);
  expect(shell.scrollToSection).not.toHaveBeenCalled();
});

test('footer: the Tab key stops at working links only', async () => {
  const user = userEvent.setup();
  render(<Footer shell={createShellStub()} />);
  for (const [name] of working) {
    await user.tab();
    expect(screen.getByRole('link', { name })).toHaveFocus();
  }
  await user.tab();
  expect(document.body).toHaveFocus();
});

test('footer: the copyright line contains 2024 and the brand', () => {
  render(<Footer shell={createShellStub()} />);
  const footer = within(screen.getByRole('contentinfo'));
  expect(footer.getByText(/^©/)).toHaveTextContent(`© 2024 ${brand}`);
});
