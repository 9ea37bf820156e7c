import { idempotencyKeyHeader } from '@countersign/contracts/lead';
import { cleanup } from '@testing-library/react';
import {
  openForm,
  renderFilledIn,
  renderSection,
  stubService,
  validFields,
} from '../testing/render-section.tsx';
import { accepted } from '../testing/stub-fetch-for-each-test.ts';

const site = stubService();

const unavailable = { status: 503, body: 'Not now.' };

/** Received idempotency keys in order, with one letter per distinct key. */
function keysSent(): string {
  const keys = site.requests.map(({ headers }) => headers[idempotencyKeyHeader] ?? 'none');
  for (const key of keys) expect(key).toMatch(/^"[\w-]{16,}"$/);
  const different = [...new Set(keys)];
  return keys.map((key) => 'abc'[different.indexOf(key)]).join('');
}

test.each([429, 500, 503])('idempotency key: a retry after a %i has the same key', async (status) => {
  site.respondWith({ status, body: 'Not now.' });
  const { send } = await renderFilledIn();
  await send();
  await send();
  site.respondWith(accepted);
  await send();
  expect(keysSent()).toBe('aaa');
});

test('idempotency key: stays the same after a reload', async () => {
  site.respondWith(unavailable);
  await (await renderFilledIn()).send();
  cleanup();
  await renderSection().send();
  expect(keysSent()).toBe('aa');
});

test('idempotency key: changed content gets a new key, except outer white space', async () => {
  site.respondWith(unavailable);
  const { fill, send } = await renderFilledIn();
  await send();
  await fill({ Name: `  ${validFields.Name} ` });
  await send();
  await fill({ Message: 'We sign about fifty contracts a month.' });
  await send();
  expect(keysSent()).toBe('aab');
});

test('idempotency key: a stored lead sent again gets a new one, also without randomUUID', async () => {
  jest.spyOn(crypto, 'randomUUID').mockImplementation(() => {
    throw new TypeError('crypto.randomUUID is not a function');
  });
  const { fill, send } = await renderFilledIn();
  await send();
  await fill();
  await send();
  expect(keysSent()).toBe('ab');
});

test('idempotency key: each form has its own', async () => {
  site.respondWith(unavailable);
  const { send, notified } = await renderFilledIn();
  await send();
  const demo = await openForm('Schedule Demo');
  await demo.fill();
  await demo.submit();
  await notified(2);
  expect(keysSent()).toBe('ab');
});

test('idempotency key: without storage, it lasts as long as the form', async () => {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
    jest.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
  }
  site.respondWith(unavailable);
  const { send } = await renderFilledIn();
  await send();
  await send();
  expect(keysSent()).toBe('aa');
});
