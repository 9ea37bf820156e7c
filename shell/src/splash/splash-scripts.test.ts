import { screen } from '@testing-library/react';
import { rootElementId, splashElementId } from '../document/element-ids.ts';
import { endSplash, splashTimeLeft } from './splash.ts';

// The fake clock starts with the test: that is when the document starts.
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const root = `<div id="${rootElementId}" inert data-testid="root"></div>`;

function loadDocument(body = `<div id="${splashElementId}" role="status"></div>${root}`) {
  document.body.innerHTML = body;
}

test('two seconds after the document started the splash is gone and the page can be used', async () => {
  loadDocument();
  const ended = endSplash();
  await jest.advanceTimersByTimeAsync(1999);
  expect(screen.getByRole('status')).toBeInTheDocument();
  expect(screen.getByTestId('root')).toHaveAttribute('inert');

  await jest.advanceTimersByTimeAsync(1);
  await ended;
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
  expect(screen.getByTestId('root')).not.toHaveAttribute('inert');
});

test('a script that starts late adds nothing to the two seconds', async () => {
  loadDocument();
  jest.advanceTimersByTime(1500);
  const ended = endSplash();
  await jest.advanceTimersByTimeAsync(499);
  expect(screen.getByRole('status')).toBeInTheDocument();
  await jest.advanceTimersByTimeAsync(1);
  await ended;
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('a script that starts after the two seconds does not wait at all', async () => {
  loadDocument();
  jest.advanceTimersByTime(9000);
  expect(splashTimeLeft()).toBe(0);
  const ended = endSplash();
  await jest.advanceTimersByTimeAsync(0);
  await ended;
  expect(screen.queryByRole('status')).not.toBeInTheDocument();
});

test('a page that has lost its splash can be used all the same', async () => {
  loadDocument(root);
  const ended = endSplash();
  await jest.advanceTimersByTimeAsync(2000);
  await ended;
  expect(screen.getByTestId('root')).not.toHaveAttribute('inert');
});
