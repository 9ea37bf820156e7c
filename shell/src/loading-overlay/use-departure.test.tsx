import { act, fireEvent, render, screen } from '@testing-library/react';
import { LoadingOverlay } from './loading-overlay.tsx';
import { departureLimit, useDeparture } from './use-departure.ts';

function Page() {
  const [departing, depart] = useDeparture();
  return (
    <>
      <button onClick={() => depart(new URL('#gone', location.href))}>Leave</button>
      {departing ? <LoadingOverlay /> : null}
    </>
  );
}

function leave() {
  render(<Page />);
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
  fireEvent(window, new Event('pageshow'));
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('a navigation that leads nowhere gives the page back after its time', () => {
  leave();
  act(() => jest.advanceTimersByTime(departureLimit - 1));
  expect(screen.getByRole('status')).toBeInTheDocument();
  act(() => jest.advanceTimersByTime(1));
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});
