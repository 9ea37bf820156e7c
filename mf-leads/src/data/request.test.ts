/** @jest-environment node */
import { startTestServerForEachTest } from '../testing/start-test-server-for-each-test.ts';
import { request } from './request.ts';

const site = startTestServerForEachTest();

test('request: sends a JSON body and cookies', async () => {
  await request('POST', '/api/contact', { name: 'Ada' });
  expect(site.requests).toEqual([
    {
      method: 'POST',
      path: '/api/contact',
      contentType: 'application/json',
      credentials: 'include',
      idempotencyKey: undefined,
      body: '{"name":"Ada"}',
    },
  ]);
});

test('request: without a body there is no Content-Type', async () => {
  await request('DELETE', '/api/session');
  expect(site.requests).toEqual([
    {
      method: 'DELETE',
      path: '/api/session',
      contentType: undefined,
      credentials: 'include',
      idempotencyKey: undefined,
      body: '',
    },
  ]);
});

test('request: sends additional headers', async () => {
  await request('POST', '/api/contact', { name: 'Ada' }, { 'Idempotency-Key': '"1"' });
  expect(site.requests).toMatchObject([
    {
      contentType: 'application/json',
      credentials: 'include',
      idempotencyKey: '"1"',
      body: '{"name":"Ada"}',
    },
  ]);
});

test('request: returns a response that is OK', async () => {
  site.respondWith({ status: 202, body: 'later' });
  const response = await request('GET', '/');
  expect(response.status).toBe(202);
  expect(await response.text()).toBe('later');
});

test('request: any other response throws status and text', async () => {
  site.respondWith({ status: 429, body: 'Please wait a minute.' });
  await expect(request('GET', '/')).rejects.toThrow(new Error('429: Please wait a minute.'));
});

test('request: without a body, the error has the status text', async () => {
  site.respondWith({ status: 503, statusText: 'Out For Lunch' });
  await expect(request('GET', '/')).rejects.toThrow(new Error('503: Out For Lunch'));
});

test('request: a connection that fails within an error keeps the browser’s message out of it', async () => {
  const broken = new Response(
    new ReadableStream({ pull: () => Promise.reject(new TypeError('Load failed')) }),
    {
      status: 502,
      statusText: 'Bad Gateway',
    },
  );
  jest.spyOn(globalThis, 'fetch').mockResolvedValueOnce(broken);
  await expect(request('GET', '/')).rejects.toThrow(new Error('502: Bad Gateway'));
});
