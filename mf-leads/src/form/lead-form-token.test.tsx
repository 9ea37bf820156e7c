import { waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Payload } from 'altcha-lib/types';
import { renderSection as render, startSite } from '../testing/render-section.tsx';

const site = startSite();

const hmacSignatureSecret = 'secret';

function renderSection() {
  const section = render();
  return {
    ...section,
    /** Submits the form and returns the received lead. */
    async send(index = 0) {
      await section.fill();
      await section.submit();
      await waitFor(() => expect(site.requests).toHaveLength(index + 1));
      return site.lead(index) as { readonly formToken?: string; readonly proof?: string };
    },
  };
}

const challengeOptions = { algorithm: 'PBKDF2/SHA-256', cost: 10, deriveKey, hmacSignatureSecret };

function respondWithChallenge(challenge: unknown): void {
  site.respondToTokensWith({ status: 200, body: JSON.stringify({ token: 'doubtful', challenge }) });
}

test('form token: each lead gets a new one', async () => {
  const { send, ready } = renderSection();
  await send();
  await ready();
  expect(site.tokenRequests).toHaveLength(1);
  site.respondToTokensWith({ status: 200, body: JSON.stringify({ token: 'another-token' }) });
  expect(await send(1)).toHaveProperty('formToken', 'another-token');
  expect(site.tokenRequests).toHaveLength(2);
});

test('form token: sending waits for a pending token', async () => {
  const release = site.holdResponses('tokens');
  const { fill, submit, sending } = renderSection();
  await fill();
  await submit();
  expect(await sending()).toBeDisabled();
  expect(site.requests).toHaveLength(0);
  release();
  await waitFor(() => expect(site.requests).toHaveLength(1));
  expect(site.lead()).toHaveProperty('formToken', 'token-of-the-site');
});

test.each([
  ['fails', { status: 500, body: 'Oops.' }],
  ['is not what it should be', { status: 200, body: '{"token":7}' }],
  ['is another page', { status: 200, body: '<h1>Free Wi-Fi</h1>' }],
  ['does not come', undefined],
])('where the answer to the question for a token %s, the lead is sent without', async (_how, answer) => {
  const reported = jest.spyOn(console, 'error');
  site.respondToTokensWith(answer);
  const { shell, send, notified } = renderSection();
  expect(await send()).not.toHaveProperty('formToken');
  await notified();
  expect(shell.notify).toHaveBeenCalledWith(expect.objectContaining({ title: 'Success!' }));
  expect(site.tokenRequests).toHaveLength(1);
  expect(reported).not.toHaveBeenCalled();
});

test('proof of work: solved in the background, verifiable by the service', async () => {
  respondWithChallenge(await createChallenge({ ...challengeOptions, counter: 20 }));
  const { formToken, proof = '' } = await renderSection().send();
  expect(formToken).toBe('doubtful');
  const payload = JSON.parse(atob(proof)) as Payload;
  expect(await verifySolution({ ...payload, deriveKey, hmacSignatureSecret })).toMatchObject({
    verified: true,
  });
});

test('proof of work: an unsolvable challenge is skipped', async () => {
  respondWithChallenge({ parameters: { algorithm: 'guessing' } });
  const lead = await renderSection().send();
  expect(lead).toHaveProperty('formToken', 'doubtful');
  expect(lead).not.toHaveProperty('proof');
});

test('proof of work: sending waits with a timeout', async () => {
  respondWithChallenge(await createChallenge({ ...challengeOptions, keyPrefix: '00'.repeat(16) }));
  const { fill, ready, sending } = renderSection();
  await fill();
  jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick', 'queueMicrotask'] });
  try {
    const impatient = userEvent.setup({ delay: null });
    await impatient.click(await ready());
    expect(await sending()).toBeDisabled();
    expect(site.requests).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(4000);
  } finally {
    jest.useRealTimers();
  }
  await waitFor(() => expect(site.requests).toHaveLength(1));
  const lead = site.lead();
  expect(lead).toHaveProperty('formToken', 'doubtful');
  expect(lead).not.toHaveProperty('proof');
});
