import { act, fireEvent, render, screen } from '@testing-library/react';
import { LoadingOverlay } from './loading-overlay.tsx';
import { useSyncExternalStore } from 'react';
import { createDeparture, departureLimit, type Departure } from './departure.ts';

/** In this DOM, the only navigation that works is one within the page. */
const login = new URL('#gone', location.href).href;

function Page({ departure }: { readonly departure: Departure }) {
  const departing = useSyncExternalStore(departure.subscribe, departure.isDeparting);
  return (
    <>
      <button onClick={departure.depart}>Leave</button>
      <a href={login}>Sign In</a>
      <a href={login} target="_blank">
        In a new tab
      </a>
      <a href="#elsewhere">Elsewhere</a>
      {departing ? <LoadingOverlay /> : null}
    </>
  );
}

function leave() {
  render(<Page departure={createDeparture(login)} />);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
  fireEvent.click(screen.getByRole('button', { name: 'Leave' }));
  expect(screen.getByRole('status')).toHaveTextContent('Empowering your documents...Loading...');
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a visitor who leaves is told that the page is at work, and the browser goes to the address', () => {
  leave();
  expect(location.hash).toBe('#gone');
});

test('a link to the login page covers the page as well', () => {
  render(<Page departure={createDeparture(login)} />);
  fireEvent.click(screen.getByRole('link', { name: 'Sign In' }));
  expect(screen.getByRole('status')).toBeInTheDocument();
});

test.each([
  { name: 'In a new tab', init: {} },
  { name: 'Elsewhere', init: {} },
  { name: 'Sign In', init: { ctrlKey: true } },
  { name: 'Sign In', init: { metaKey: true } },
  { name: 'Sign In', init: { button: 1 } },
])('the link $name with $init leaves the page uncovered', ({ name, init }) => {
  render(<Page departure={createDeparture(login)} />);
  fireEvent.click(screen.getByRole('link', { name }), init);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('the overlay says what it waits for, when it is told', () => {
  render(<LoadingOverlay text="Opening your vault" />);
  expect(screen.getByRole('status')).toHaveTextContent('Empowering your documents...Opening your vault');
});

test('a visitor who stops the navigation has the page back', () => {
  leave();
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(screen.getByRole('status')).toBeInTheDocument();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('a page that comes back from the browser’s cache is not covered', () => {
  leave();
  act(() => void fireEvent(window, new Event('pageshow')));
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('a navigation that leads nowhere gives the page back after its time', () => {
  leave();
  act(() => jest.advanceTimersByTime(departureLimit - 1));
  expect(screen.getByRole('status')).toBeInTheDocument();
  act(() => jest.advanceTimersByTime(1));
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});
