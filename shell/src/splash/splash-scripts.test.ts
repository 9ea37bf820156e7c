import { slotAttributes } from '@countersign/contracts/slot-markup';
import { screen } from '@testing-library/react';
import { loadingStatusElementId, rootElementId, splashElementId } from '../page/element-ids.ts';
import { runInline } from '../testing/run-inline.ts';
import { beginSplashScript, endSplashScript } from './splash-scripts.ts';

// Fake timers start at 0, like navigation start.
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function loadDocument(splash = `<div id="${splashElementId}">Countersign</div>`) {
  document.body.innerHTML = `${splash}<p id="${loadingStatusElementId}" role="status"></p><div id="${rootElementId}" data-testid="root"></div>`;
  runInline(beginSplashScript);
}

const isInert = () => screen.getByTestId<HTMLElement>('root').inert;

test('splash: ends two seconds after navigation start and makes the page usable', () => {
  loadDocument();
  runInline(endSplashScript);
  jest.advanceTimersByTime(1999);
  expect(screen.getByText('Countersign')).toBeInTheDocument();
  expect(isInert()).toBe(true);

  jest.advanceTimersByTime(1);
  expect(screen.queryByText('Countersign')).not.toBeInTheDocument();
  expect(screen.getByTestId('root')).not.toHaveAttribute('inert');
});

test('splash: late HTML does not extend the two seconds', () => {
  loadDocument();
  jest.advanceTimersByTime(1500);
  runInline(endSplashScript);
  jest.advanceTimersByTime(499);
  expect(screen.getByText('Countersign')).toBeInTheDocument();
  jest.advanceTimersByTime(1);
  expect(screen.queryByText('Countersign')).not.toBeInTheDocument();
});

test('splash: HTML after two seconds is shown at once', () => {
  loadDocument();
  jest.advanceTimersByTime(9000);
  runInline(endSplashScript);
  jest.advanceTimersByTime(0);
  expect(screen.queryByText('Countersign')).not.toBeInTheDocument();
});

test('splash: a page without the splash element becomes usable as well', () => {
  loadDocument('');
  runInline(endSplashScript);
  jest.advanceTimersByTime(2000);
  expect(screen.getByTestId('root')).not.toHaveAttribute('inert');
});

test('splash: sections below the first screen become usable after it, in steps', () => {
  loadDocument();
  const root = screen.getByTestId('root');
  root.innerHTML = `<div ${slotAttributes.remote}="mf-header"></div>`.repeat(8);
  const inertSlots = () => [...root.children].map((slot) => slot.hasAttribute('inert'));
  runInline(endSplashScript);
  jest.advanceTimersByTime(2000);
  expect(root).not.toHaveAttribute('inert');
  expect(inertSlots()).toEqual([false, false, true, true, true, true, true, true]);

  jest.advanceTimersToNextFrame();
  jest.advanceTimersToNextTimer();
  expect(inertSlots()).toEqual([false, false, false, false, false, false, true, true]);
  jest.advanceTimersToNextTimer();
  expect(inertSlots()).not.toContain(true);
});

test('splash: a page that was scrolled becomes usable at once', () => {
  loadDocument();
  const root = screen.getByTestId('root');
  root.innerHTML = `<div ${slotAttributes.remote}="mf-header"></div>`.repeat(8);
  runInline(endSplashScript);
  jest.replaceProperty(window, 'scrollY', 400);
  jest.advanceTimersByTime(2000);
  expect(root.querySelector('[inert]')).toBeNull();
  jest.restoreAllMocks();
});

test('splash: tells screen readers that the page is loading, then that it is ready', () => {
  loadDocument();
  const status = screen.getByRole('status');
  expect(status).toBeEmptyDOMElement();
  runInline(endSplashScript);
  jest.advanceTimersByTime(100);
  expect(status).toHaveTextContent('Loading...');
  jest.advanceTimersByTime(1900);
  expect(status).toHaveTextContent('Countersign is ready');
  jest.advanceTimersByTime(5000);
  expect(status).not.toBeInTheDocument();
});
