import { stubFetchForEachTest } from '../testing/stub-fetch-for-each-test.ts';
import { request } from './request.ts';

const site = stubFetchForEachTest();

test('request: sends method, JSON body, cookies and additional headers', async () => {
  const path = '/api/contact';
  const credentials = 'include';
  await request('POST', path, { name: 'Ada' });
  await request('POST', path, { name: 'Ada' }, { 'Idempotency-Key': '"1"' });
  // Without a body there is no Content-Type.
  await request('DELETE', path);
  const posted = {
    method: 'POST',
    path,
    contentType: 'application/json',
    credentials,
    body: '{"name":"Ada"}',
  };
  expect(site.requests).toEqual([
    { ...posted, idempotencyKey: undefined },
    { ...posted, idempotencyKey: '"1"' },
    {
      method: 'DELETE',
      path,
      contentType: undefined,
      credentials,
      idempotencyKey: undefined,
      body: undefined,
    },
  ]);
});

test.each([
  ['status and text', { status: 429, body: 'Please wait a minute.' }, '429: Please wait a minute.'],
  ['the status text, without a body', { status: 503, statusText: 'Out For Lunch' }, '503: Out For Lunch'],
])('request: any other response throws %s', async (_what, response, message) => {
  site.respondWith(response);
  await expect(request('GET', '/')).rejects.toThrow(new Error(message));
});

test('request: a connection that fails within an error keeps the browser’s message out of it', async () => {
  const text = () => Promise.reject(new TypeError('Load failed'));
  const broken = { ok: false, status: 502, statusText: 'Bad Gateway', text } as unknown as Response;
  jest.spyOn(globalThis, 'fetch').mockResolvedValueOnce(broken);
  await expect(request('GET', '/')).rejects.toThrow(new Error('502: Bad Gateway'));
});
