import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallToAction from '../call-to-action.tsx';
import { leadFormLogic } from './lead-form.tsx';
import { fillIn, validFields } from '../testing/fill-in.ts';
import { startTestServerForEachTest } from '../testing/start-test-server-for-each-test.ts';

const site = startTestServerForEachTest();
beforeAll(() => leadFormLogic.prefetch());
afterEach(() => jest.restoreAllMocks());

const user = userEvent.setup();
const stored = { status: 201, body: JSON.stringify({ message: 'Stored.' }) };
const unavailable = { status: 503, body: 'Not now.' };

function renderSection() {
  const shell = createShellStub(() => jest.fn());
  render(<CallToAction shell={shell} />);
  const form = screen.getByRole('form', { name: 'Ask us anything' });
  return {
    form,
    /** Submits the form and waits for the toast. */
    async send() {
      const before = jest.mocked(shell.notify).mock.calls.length;
      await user.click(within(form).getByRole('button', { name: 'Send Message' }));
      await waitFor(() => expect(shell.notify).toHaveBeenCalledTimes(before + 1));
      await within(form).findByRole('button', { name: 'Send Message' });
    },
  };
}

/** Received idempotency keys in order, with one letter per distinct key. */
function keysSent(): string {
  const keys = site.requests.map(({ idempotencyKey = 'none' }) => idempotencyKey);
  for (const key of keys) expect(key).toMatch(/^"[\w-]{16,}"$/);
  const different = [...new Set(keys)];
  return keys.map((key) => 'abc'[different.indexOf(key)]).join('');
}

test.each([429, 500, 503])('idempotency key: a retry after a %i has the same key', async (status) => {
  site.respondWith({ status, body: 'Not now.' });
  const { form, send } = renderSection();
  await fillIn(user, form, validFields);
  await send();
  await send();
  site.respondWith(stored);
  await send();
  expect(keysSent()).toBe('aaa');
});

test('idempotency key: a retry after a lost response has the same key', async () => {
  const { form, send } = renderSection();
  await fillIn(user, form, validFields);
  const networkFetch = globalThis.fetch;
  jest.spyOn(globalThis, 'fetch').mockImplementationOnce(async (...request) => {
    await networkFetch(...request);
    throw new TypeError('Failed to fetch');
  });
  await send();
  await send();
  expect(keysSent()).toBe('aa');
});

test('idempotency key: stays the same after a reload', async () => {
  site.respondWith(unavailable);
  const before = renderSection();
  await fillIn(user, before.form, validFields);
  await before.send();
  cleanup();
  await renderSection().send();
  expect(keysSent()).toBe('aa');
});

test('idempotency key: changed content gets a new key, except outer white space', async () => {
  site.respondWith(unavailable);
  const { form, send } = renderSection();
  await fillIn(user, form, validFields);
  await send();
  await fillIn(user, form, { Name: `  ${validFields.Name} ` });
  await send();
  await fillIn(user, form, { Message: 'We sign about fifty contracts a month.' });
  await send();
  expect(keysSent()).toBe('aab');
});

test('idempotency key: a stored lead sent again gets a new key', async () => {
  const { form, send } = renderSection();
  await fillIn(user, form, validFields);
  await send();
  await fillIn(user, form, validFields);
  await send();
  expect(keysSent()).toBe('ab');
});

test('idempotency key: each form has its own', async () => {
  site.respondWith(unavailable);
  const { form, send } = renderSection();
  await fillIn(user, form, validFields);
  await send();
  await user.click(screen.getByRole('button', { name: 'Schedule Demo' }));
  const demo = screen.getByRole('form', { name: 'Schedule your demo' });
  await fillIn(user, demo, validFields);
  await user.click(within(demo).getByRole('button', { name: 'Schedule Demo' }));
  await waitFor(() => expect(site.requests).toHaveLength(2));
  expect(keysSent()).toBe('ab');
});

test('idempotency key: without storage, it lasts as long as the form', async () => {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
    jest.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
  }
  site.respondWith(unavailable);
  const { form, send } = renderSection();
  await fillIn(user, form, validFields);
  await send();
  await send();
  expect(keysSent()).toBe('aa');
});

test.each(['no JSON', 'null', '{"key":7,"content":"[]"}', '{"key":"\\"\\r\\nX: 1","content":"[]"}'])(
  'the stored attempt %j does no harm',
  async (text) => {
    sessionStorage.setItem('lead-attempt-contact', text);
    const { form, send } = renderSection();
    await fillIn(user, form, validFields);
    await send();
    expect(keysSent()).toBe('a');
  },
);

test('idempotency key: works without crypto.randomUUID', async () => {
  Object.defineProperty(globalThis, 'isSecureContext', { value: true, configurable: true });
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  try {
    const { form, send } = renderSection();
    for (const fields of [validFields, validFields]) {
      await fillIn(user, form, fields);
      await send();
    }
    expect(keysSent()).toBe('ab');
  } finally {
    Reflect.deleteProperty(globalThis, 'isSecureContext');
    Reflect.deleteProperty(crypto, 'randomUUID');
  }
});
