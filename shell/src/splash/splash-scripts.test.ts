import { slotAttributes } from '@countersign/contracts/page-markup';
import { screen } from '@testing-library/react';
import { loadingStatusElementId, rootElementId, splashElementId } from '../page/element-ids.ts';
import { runInline } from '../testing/run-inline.ts';
import { splashScript } from './splash-scripts.ts';

// Fake timers start at 0, like navigation start.
let navigationType: NavigationTimingType;
beforeEach(() => {
  jest.useFakeTimers();
  navigationType = 'navigate';
  Object.defineProperty(performance, 'getEntriesByType', {
    configurable: true,
    value: () => [{ type: navigationType }],
  });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** Loads the top of the page, and the rest of it unless the network is slow. */
function loadDocument({ isComplete = true, splash = `<div id="${splashElementId}">Countersign</div>` } = {}) {
  jest.spyOn(document, 'readyState', 'get').mockReturnValue(isComplete ? 'interactive' : 'loading');
  document.body.innerHTML = `${splash}<p id="${loadingStatusElementId}" role="status"></p><div id="${rootElementId}" data-testid="root"></div>`;
  runInline(splashScript);
}

/** The next slot and the blank after it, which the parser adds when it has read the whole slot. */
function receiveSlot() {
  screen
    .getByTestId('root')
    .insertAdjacentHTML('beforeend', `<div ${slotAttributes.remote}="mf-header"></div>\n`);
}

const isInert = () => screen.getByTestId('root').hasAttribute('inert');

test('splash: waits for a late hero, and then ends', () => {
  loadDocument({ isComplete: false });
  receiveSlot();
  jest.advanceTimersByTime(5000);
  expect(screen.getByText('Countersign')).toBeInTheDocument();
  receiveSlot();
  jest.advanceTimersByTime(100);
  expect(screen.queryByText('Countersign')).not.toBeInTheDocument();
});

test('splash: ends after eight seconds without a hero', () => {
  loadDocument({ isComplete: false });
  receiveSlot();
  jest.advanceTimersByTime(7999);
  expect(isInert()).toBe(true);
  jest.advanceTimersByTime(1);
  expect(screen.queryByText('Countersign')).not.toBeInTheDocument();
  expect(document.querySelector('[inert]')).toBeNull();
});

test('splash: a document that begins after two seconds is shown at once', () => {
  jest.advanceTimersByTime(2000);
  loadDocument();
  jest.advanceTimersByTime(0);
  expect(screen.queryByText('Countersign')).not.toBeInTheDocument();
});

test('splash: a page without the splash element becomes usable as well', () => {
  loadDocument({ splash: '' });
  jest.advanceTimersByTime(2000);
  expect(screen.getByTestId('root')).not.toHaveAttribute('inert');
});

test('splash: a new visit lays out the first screen only, until the splash ends', () => {
  const isLazy = () => document.documentElement.hasAttribute('data-lazy-layout');
  navigationType = 'reload';
  loadDocument();
  expect(isLazy()).toBe(false);
  navigationType = 'navigate';
  loadDocument();
  expect(isLazy()).toBe(true);
  jest.advanceTimersByTime(2000);
  expect(isLazy()).toBe(false);
});

test('splash: sections below the first screen become usable after it, in steps', () => {
  loadDocument();
  const root = screen.getByTestId('root');
  root.innerHTML = `<div ${slotAttributes.remote}="mf-header"></div>`.repeat(8);
  const inertSlots = () => [...root.children].map((slot) => slot.hasAttribute('inert'));
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
  jest.replaceProperty(window, 'scrollY', 400);
  jest.advanceTimersByTime(2000);
  expect(root.querySelector('[inert]')).toBeNull();
});

test('splash: tells screen readers that the page is loading, then that it is ready', () => {
  loadDocument();
  const status = screen.getByRole('status');
  expect(status).toBeEmptyDOMElement();
  jest.advanceTimersByTime(100);
  expect(status).toHaveTextContent('Loading...');
  jest.advanceTimersByTime(1900);
  expect(status).toHaveTextContent('Countersign is ready');
  jest.advanceTimersByTime(5000);
  expect(status).not.toBeInTheDocument();
});
