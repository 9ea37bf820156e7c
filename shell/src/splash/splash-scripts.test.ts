import { screen } from '@testing-library/react';
import { rootElementId, splashElementId } from '../document/element-ids.ts';
import { runInline } from '../testing/run-inline.ts';
import { beginSplashScript, endSplashScript } from './splash-scripts.ts';

// The fake clock starts with the test: that is when the document starts.
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function loadDocument(splash = `<div id="${splashElementId}" role="status"></div>`) {
  document.body.innerHTML = `${splash}<div id="${rootElementId}" data-testid="root"></div>`;
  runInline(beginSplashScript);
}

const isInert = () => screen.getByTestId<HTMLElement>('root').inert;

test('two seconds after the document started the splash is gone and the page can be used', () => {
  loadDocument();
  runInline(endSplashScript);
  jest.advanceTimersByTime(1999);
  expect(screen.getByRole('status')).toBeInTheDocument();
  expect(isInert()).toBe(true);

  jest.advanceTimersByTime(1);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
  expect(screen.getByTestId('root')).not.toHaveAttribute('inert');
});

test('HTML that arrives late adds nothing to the two seconds', () => {
  loadDocument();
  jest.advanceTimersByTime(1500);
  runInline(endSplashScript);
  jest.advanceTimersByTime(499);
  expect(screen.getByRole('status')).toBeInTheDocument();
  jest.advanceTimersByTime(1);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('HTML that arrives after the two seconds does not wait at all', () => {
  loadDocument();
  jest.advanceTimersByTime(9000);
  runInline(endSplashScript);
  jest.advanceTimersByTime(0);
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('a page that has lost its splash can be used all the same', () => {
  loadDocument('');
  runInline(endSplashScript);
  jest.advanceTimersByTime(2000);
  expect(screen.getByTestId('root')).not.toHaveAttribute('inert');
});
