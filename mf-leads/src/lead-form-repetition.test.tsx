import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import CallToAction from './call-to-action.tsx';
import { leadFormLogic } from './lead-form.tsx';
import { createShellStub } from './shell-stub.ts';
import { fillIn, rightFields } from './testing/fill-in.ts';
import { startSiteForEachTest } from './testing/start-site-for-each-test.ts';

const site = startSiteForEachTest();
beforeAll(() => leadFormLogic.prefetch());
afterEach(() => jest.restoreAllMocks());

const user = userEvent.setup();
const stored = { status: 201, body: JSON.stringify({ message: 'Stored.' }) };
const unavailable = { status: 503, body: 'Not now.' };

function renderSection() {
  const shell = createShellStub();
  render(<CallToAction shell={shell} />);
  const form = screen.getByRole('form', { name: 'Ask us anything' });
  return {
    form,
    /** Presses send, and waits for the notice. */
    async send() {
      const before = jest.mocked(shell.notify).mock.calls.length;
      await user.click(within(form).getByRole('button', { name: 'Send Message' }));
      await waitFor(() => expect(shell.notify).toHaveBeenCalledTimes(before + 1));
      await within(form).findByRole('button', { name: 'Send Message' });
    },
  };
}

/** The keys that have arrived so far: the same letter for the same key, in order. */
function keysSent(): string {
  const keys = site.requests.map(({ idempotencyKey = 'none' }) => idempotencyKey);
  for (const key of keys) expect(key).toMatch(/^"[\w-]{16,}"$/);
  const different = [...new Set(keys)];
  return keys.map((key) => 'abc'[different.indexOf(key)]).join('');
}

test.each([429, 500, 503])('a lead that is sent again after a %i goes under the same key', async (status) => {
  site.answerWith({ status, body: 'Not now.' });
  const { form, send } = renderSection();
  await fillIn(user, form, rightFields);
  await send();
  await send();
  site.answerWith(stored);
  await send();
  expect(keysSent()).toBe('aaa');
});

test('a lead that is sent again after its answer was lost goes under the same key', async () => {
  const { form, send } = renderSection();
  await fillIn(user, form, rightFields);
  const networkFetch = globalThis.fetch;
  jest.spyOn(globalThis, 'fetch').mockImplementationOnce(async (...request) => {
    await networkFetch(...request);
    throw new TypeError('Failed to fetch');
  });
  await send();
  await send();
  expect(keysSent()).toBe('aa');
});

test('a reload between two attempts changes nothing about the key', async () => {
  site.answerWith(unavailable);
  const before = renderSection();
  await fillIn(user, before.form, rightFields);
  await before.send();
  cleanup();
  await renderSection().send();
  expect(keysSent()).toBe('aa');
});

test('a lead that was changed in between goes under a key of its own, white space around it apart', async () => {
  site.answerWith(unavailable);
  const { form, send } = renderSection();
  await fillIn(user, form, rightFields);
  await send();
  await fillIn(user, form, { Name: `  ${rightFields.Name} ` });
  await send();
  await fillIn(user, form, { Message: 'We sign about fifty contracts a month.' });
  await send();
  expect(keysSent()).toBe('aab');
});

test('what is sent once more after it was stored is another lead', async () => {
  const { form, send } = renderSection();
  await fillIn(user, form, rightFields);
  await send();
  await fillIn(user, form, rightFields);
  await send();
  expect(keysSent()).toBe('ab');
});

test('each form has keys of its own', async () => {
  site.answerWith(unavailable);
  const { form, send } = renderSection();
  await fillIn(user, form, rightFields);
  await send();
  await user.click(screen.getByRole('button', { name: 'Schedule Demo' }));
  const demo = screen.getByRole('form', { name: 'Schedule your demo' });
  await fillIn(user, demo, rightFields);
  await user.click(within(demo).getByRole('button', { name: 'Schedule Demo' }));
  await waitFor(() => expect(site.requests).toHaveLength(2));
  expect(keysSent()).toBe('ab');
});

test('where storage is forbidden, the key lasts as long as the form', async () => {
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
    jest.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });
  }
  site.answerWith(unavailable);
  const { form, send } = renderSection();
  await fillIn(user, form, rightFields);
  await send();
  await send();
  expect(keysSent()).toBe('aa');
});

test.each(['no JSON', 'null', '{"key":7,"content":"[]"}', '{"key":"\\"\\r\\nX: 1","content":"[]"}'])(
  'the stored attempt %j does no harm',
  async (text) => {
    sessionStorage.setItem('lead-attempt-contact', text);
    const { form, send } = renderSection();
    await fillIn(user, form, rightFields);
    await send();
    expect(keysSent()).toBe('a');
  },
);

test('a browser without crypto.randomUUID sends leads, each under a key of its own', async () => {
  Object.defineProperty(globalThis, 'isSecureContext', { value: true, configurable: true });
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  try {
    const { form, send } = renderSection();
    for (const fields of [rightFields, rightFields]) {
      await fillIn(user, form, fields);
      await send();
    }
    expect(keysSent()).toBe('ab');
  } finally {
    Reflect.deleteProperty(globalThis, 'isSecureContext');
    Reflect.deleteProperty(crypto, 'randomUUID');
  }
});
