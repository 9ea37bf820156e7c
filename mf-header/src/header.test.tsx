import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { brand } from '@countersign/contracts/brand';
import { createEvent, fireEvent, render, screen } from '@testing-library/react';
import Header from './header.tsx';

test.each(['metaKey', 'ctrlKey', 'shiftKey'])('navigation: a click with %s is left to the browser', (key) => {
  const shell = createShellStub(() => jest.fn());
  render(<Header shell={shell} />);
  const link = screen.getByRole('link', { name: 'Pricing' });
  const click = createEvent.click(link, { [key]: true });
  fireEvent(link, click);
  expect(click.defaultPrevented).toBe(false);
  expect(shell.scrollToSection).not.toHaveBeenCalled();
});

describe('the logo', () => {
  const clickLogo = (options?: MouseEventInit) => {
    // jsdom has neither.
    Object.assign(window, { scrollTo: jest.fn(), matchMedia: () => ({ matches: false }) });
    render(<Header shell={createShellStub()} />);
    const logo = screen.getByRole('link', { name: brand });
    const click = createEvent.click(logo, options);
    fireEvent(logo, click);
    return click;
  };

  test('leads to the top of the page, and removes the section from the address', () => {
    history.replaceState(null, '', '/?utm_source=mail#pricing');
    expect(clickLogo().defaultPrevented).toBe(true);
    expect(window.scrollTo).toHaveBeenCalledWith({ top: 0, behavior: 'smooth' });
    expect(location.href).toBe('http://localhost/?utm_source=mail');
  });

  test('opens a new tab with a modifier key', () => {
    expect(clickLogo({ ctrlKey: true }).defaultPrevented).toBe(false);
  });

  test('loads the landing page from another page', () => {
    history.replaceState(null, '', '/terms');
    expect(clickLogo().defaultPrevented).toBe(false);
    history.replaceState(null, '', '/');
  });
});

test('header: browsers without styles separate the links to the application', () => {
  render(<Header shell={createShellStub()} />);
  expect(screen.getByRole('link', { name: 'Sign In' }).parentElement).toHaveTextContent(
    /^Sign In Start Free Trial$/,
  );
});
