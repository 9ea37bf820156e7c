import { act, fireEvent, render, screen } from '@testing-library/react';
import { LoadingOverlay } from './loading-overlay.tsx';
import { useSyncExternalStore } from 'react';
import { createLoginNavigation, navigationTimeout, type LoginNavigation } from './login-navigation.ts';

/** jsdom supports hash navigation only. */
const login = new URL('#gone', location.href).href;

function Page({ navigation }: { readonly navigation: LoginNavigation }) {
  const pending = useSyncExternalStore(navigation.subscribe, navigation.isPending);
  return (
    <>
      <button type="button" onClick={navigation.start}>
        Leave
      </button>
      <a href={login}>Sign In</a>
      <a href={login} target="_blank">
        In a new tab
      </a>
      <a href="#elsewhere">Elsewhere</a>
      {pending ? <LoadingOverlay /> : null}
    </>
  );
}

function leave() {
  render(<Page navigation={createLoginNavigation(login)} />);
  fireEvent.click(screen.getByRole('button', { name: 'Leave' }));
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('login navigation: shows the overlay and navigates', () => {
  leave();
  expect(screen.getByRole('status')).toHaveTextContent('Empowering your documents...Loading...');
  expect(location.hash).toBe('#gone');
});

test.each([
  { name: 'In a new tab', init: {} },
  { name: 'Elsewhere', init: {} },
  { name: 'Sign In', init: { ctrlKey: true } },
  { name: 'Sign In', init: { metaKey: true } },
  { name: 'Sign In', init: { button: 1 } },
])('the link $name with $init leaves the page uncovered', ({ name, init }) => {
  render(<Page navigation={createLoginNavigation(login)} />);
  fireEvent.click(screen.getByRole('link', { name }), init);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('login navigation: Escape removes the overlay', () => {
  leave();
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(screen.getByRole('status')).toBeInTheDocument();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('login navigation: no overlay after a return from the back/forward cache', () => {
  leave();
  act(() => void fireEvent(window, new PageTransitionEvent('pageshow')));
  expect(screen.getByRole('status')).toBeInTheDocument();
  act(() => void fireEvent(window, new PageTransitionEvent('pageshow', { persisted: true })));
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('login navigation: the overlay ends after a timeout', () => {
  leave();
  act(() => jest.advanceTimersByTime(navigationTimeout - 1));
  expect(screen.getByRole('status')).toBeInTheDocument();
  act(() => jest.advanceTimersByTime(1));
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});
