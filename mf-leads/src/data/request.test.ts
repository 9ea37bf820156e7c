import { stubFetchForEachTest } from '../testing/stub-fetch-for-each-test.ts';
import { request } from './request.ts';

const site = stubFetchForEachTest();

test('request: sends method, JSON body, cookies and additional headers', async () => {
  const common = { path: '/api/contact', credentials: 'include' };
  const body = '{"name":"Ada"}';
  await request('POST', common.path, { name: 'Ada' }, { 'Idempotency-Key': '"1"' });
  await request('DELETE', common.path);
  expect(site.requests).toEqual([
    { ...common, method: 'POST', body, contentType: 'application/json', idempotencyKey: '"1"' },
    { ...common, method: 'DELETE', body: undefined, contentType: undefined, idempotencyKey: undefined },
  ]);
});

test('request: a connection that fails within an error keeps the browser’s message out of it', async () => {
  const text = () => Promise.reject(new TypeError('Load failed'));
  const broken = { ok: false, status: 502, statusText: 'Bad Gateway', text } as unknown as Response;
  jest.spyOn(globalThis, 'fetch').mockResolvedValueOnce(broken);
  await expect(request('GET', '/')).rejects.toThrow(new Error('502: Bad Gateway'));
});
