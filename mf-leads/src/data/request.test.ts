import { stubFetchForEachTest } from '../testing/stub-fetch-for-each-test.ts';
import { request } from './request.ts';

const site = stubFetchForEachTest();

test('request: sends method, JSON body, cookies and additional headers', async () => {
  const common = { path: '/api/contact', credentials: 'include' };
  const body = '{"name":"Ada"}';
  const key = { 'Idempotency-Key': '"1"' };
  await request('POST', common.path, { name: 'Ada' }, key);
  await request('DELETE', common.path);
  expect(site.requests).toEqual([
    { ...common, method: 'POST', body, headers: { ...key, 'Content-Type': 'application/json' } },
    { ...common, method: 'DELETE', body: undefined, headers: {} },
  ]);
});

test('request: a connection that fails within an error keeps the browser’s message out of it', async () => {
  const text = () => Promise.reject(new TypeError('Load failed'));
  const headers = new Map([['Content-Type', 'application/problem+json']]);
  const broken = { ok: false, status: 502, statusText: 'Bad Gateway', headers, text } as unknown as Response;
  jest.spyOn(globalThis, 'fetch').mockResolvedValueOnce(broken);
  await expect(request('GET', '/')).rejects.toThrow(new Error('502: Bad Gateway'));
});

test.each(['{"detail":"Not', ''])('request: a problem document cut to %j has a text', async (body) => {
  site.respondWith({ status: 502, contentType: 'application/problem+json', body });
  const message = `502: ${body || 'Something went wrong. Please try again.'}`;
  await expect(request('GET', '/')).rejects.toThrow(new Error(message));
});
