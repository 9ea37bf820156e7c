import type { PartEvent } from '@countersign/contracts/part-event';
import { bundledEntriesAttribute } from '@countersign/contracts/page-markup';
import { watchPartErrors } from './watch-part-errors.ts';

const reported: PartEvent[] = [];
watchPartErrors((event) => reported.push(event));
beforeEach(() => void (reported.length = 0));

const address = 'https://www.example.com/mf-pricing/1.2.0-rc.1/exposed.0123456789.js';

function reject(reason: unknown): void {
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
}

test('part errors: an exception in a handler is reported with remote and version', () => {
  const error = new Error('No price');
  window.dispatchEvent(new ErrorEvent('error', { error, filename: address }));
  expect(reported).toEqual([
    { remote: 'mf-pricing', version: '1.2.0-rc.1', outcome: 'failed', cause: 'event', error },
  ]);
});

test('part errors: an unhandled rejection is reported for the part in its stack', () => {
  const error = Object.assign(new Error('No price'), {
    stack: `Error: No price\n    at b (${address}:1:20)`,
  });
  reject(error);
  expect(reported).toMatchObject([{ remote: 'mf-pricing', version: '1.2.0-rc.1', cause: 'event', error }]);
});

test('part errors: a part whose entry is in the bundle is found by the line', () => {
  const link = document.createElement('link');
  link.setAttribute(
    bundledEntriesAttribute,
    '2 /mf-header/3.0.0/entry.js 5 /mf-pricing/1.2.0-rc.1/exposed.0123456789.js',
  );
  document.head.append(link);
  const filename = 'https://www.example.com/entries.0123456789abcdef.js';
  const error = new Error('No price');
  window.dispatchEvent(new ErrorEvent('error', { error, filename, lineno: 6 }));
  reject(Object.assign(new Error('No menu'), { stack: `Error: No menu\n    at b (${filename}:3:20)` }));
  expect(reported).toMatchObject([
    { remote: 'mf-pricing', version: '1.2.0-rc.1', cause: 'event', error },
    { remote: 'mf-header', version: '3.0.0', cause: 'event' },
  ]);
  link.remove();
});

test('part errors: errors of other code are ignored', () => {
  window.dispatchEvent(
    new ErrorEvent('error', {
      error: new Error('No'),
      filename: 'https://www.example.com/shell/1.0.0/shell.js',
    }),
  );
  window.dispatchEvent(
    new ErrorEvent('error', { error: new Error('No'), filename: 'extension://x/mf-other/1/' }),
  );
  reject('just a word');
  expect(reported).toEqual([]);
});
