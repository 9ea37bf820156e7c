import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Payload } from 'altcha-lib/types';
import CallToAction from '../call-to-action.tsx';
import { leadFormLogic } from './lead-form.tsx';
import { fillIn, validFields } from '../testing/fill-in.ts';
import { startTestServerForEachTest } from '../testing/start-test-server-for-each-test.ts';

const site = startTestServerForEachTest();
beforeAll(() => leadFormLogic.prefetch());
afterEach(() => jest.restoreAllMocks());

const user = userEvent.setup();
const hmacSignatureSecret = 'secret';

function renderForm() {
  const shell = createShellStub(() => jest.fn());
  render(<CallToAction shell={shell} />);
  return { shell, form: screen.getByRole('form', { name: 'Ask us anything' }) };
}

/** Submits a form and returns the received lead. */
async function send(form: HTMLElement): Promise<{ formToken?: string; proof?: string }> {
  await fillIn(user, form, validFields);
  await user.click(within(form).getByRole('button', { name: 'Send Message' }));
  await waitFor(() => expect(site.requests).toHaveLength(1));
  return JSON.parse(site.requests[0]?.body ?? '') as { formToken?: string; proof?: string };
}

test('form token: not requested without an interaction', () => {
  const networkFetch = jest.spyOn(globalThis, 'fetch');
  renderForm();
  expect(networkFetch).not.toHaveBeenCalled();
});

test('form token: requested on focus, once for all forms, and sent', async () => {
  const { form } = renderForm();
  await user.click(screen.getByRole('button', { name: 'Schedule Demo' }));
  await waitFor(() => expect(site.tokenRequests).toHaveLength(1));
  expect(site.tokenRequests).toMatchObject([
    { method: 'GET', path: '/api/form-token', credentials: 'include' },
  ]);
  await user.keyboard('{Escape}');
  expect(await send(form)).toHaveProperty('formToken', 'token-of-the-site');
  expect(site.tokenRequests).toHaveLength(1);
});

test('form token: each lead gets a new one', async () => {
  const { form } = renderForm();
  await send(form);
  await within(form).findByRole('button', { name: 'Send Message' });
  expect(site.tokenRequests).toHaveLength(1);
  site.respondToTokensWith({ status: 200, body: JSON.stringify({ token: 'another-token' }) });
  await fillIn(user, form, validFields);
  await user.click(within(form).getByRole('button', { name: 'Send Message' }));
  await waitFor(() => expect(site.requests).toHaveLength(2));
  expect(site.tokenRequests).toHaveLength(2);
  expect(JSON.parse(site.requests[1]?.body ?? '')).toHaveProperty('formToken', 'another-token');
});

test('form token: sending waits for a pending token', async () => {
  const release = site.holdResponses('tokens');
  const { form } = renderForm();
  await fillIn(user, form, validFields);
  await user.click(within(form).getByRole('button', { name: 'Send Message' }));
  expect(await within(form).findByRole('button', { name: 'Submitting...' })).toBeDisabled();
  expect(site.requests).toHaveLength(0);
  release();
  await waitFor(() => expect(site.requests).toHaveLength(1));
  expect(JSON.parse(site.requests[0]?.body ?? '')).toHaveProperty('formToken', 'token-of-the-site');
});

test.each([
  ['fails', { status: 500, body: 'Oops.' }],
  ['is not what it should be', { status: 200, body: '{"token":7}' }],
  ['is another page', { status: 200, body: '<h1>Free Wi-Fi</h1>' }],
  ['does not come', undefined],
])('where the answer to the question for a token %s, the lead is sent without', async (_how, answer) => {
  const reported = jest.spyOn(console, 'error');
  site.respondToTokensWith(answer);
  const { form, shell } = renderForm();
  expect(await send(form)).not.toHaveProperty('formToken');
  await waitFor(() => expect(shell.notify).toHaveBeenCalledTimes(1));
  expect(shell.notify).toHaveBeenCalledWith(expect.objectContaining({ title: 'Success!' }));
  expect(site.tokenRequests).toHaveLength(1);
  expect(reported).not.toHaveBeenCalled();
});

test('proof of work: solved in the background, verifiable by the service', async () => {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    counter: 20,
    deriveKey,
    hmacSignatureSecret,
  });
  site.respondToTokensWith({ status: 200, body: JSON.stringify({ token: 'doubtful', challenge }) });
  const { formToken, proof = '' } = await send(renderForm().form);
  expect(formToken).toBe('doubtful');
  const payload = JSON.parse(atob(proof)) as Payload;
  expect(await verifySolution({ ...payload, deriveKey, hmacSignatureSecret })).toMatchObject({
    verified: true,
  });
});

test('proof of work: an unsolvable challenge is skipped', async () => {
  const challenge = { parameters: { algorithm: 'guessing' } };
  site.respondToTokensWith({ status: 200, body: JSON.stringify({ token: 'doubtful', challenge }) });
  const lead = await send(renderForm().form);
  expect(lead).toHaveProperty('formToken', 'doubtful');
  expect(lead).not.toHaveProperty('proof');
});

test('proof of work: sending waits with a timeout', async () => {
  const challenge = await createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 10,
    keyPrefix: '00'.repeat(16),
    deriveKey,
    hmacSignatureSecret,
  });
  site.respondToTokensWith({ status: 200, body: JSON.stringify({ token: 'doubtful', challenge }) });
  const { form } = renderForm();
  await fillIn(user, form, validFields);
  jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const impatient = userEvent.setup({ delay: null });
    await impatient.click(within(form).getByRole('button', { name: 'Send Message' }));
    expect(await within(form).findByRole('button', { name: 'Submitting...' })).toBeDisabled();
    expect(site.requests).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(4000);
  } finally {
    jest.useRealTimers();
  }
  await waitFor(() => expect(site.requests).toHaveLength(1));
  const lead: unknown = JSON.parse(site.requests[0]?.body ?? '');
  expect(lead).toHaveProperty('formToken', 'doubtful');
  expect(lead).not.toHaveProperty('proof');
});
