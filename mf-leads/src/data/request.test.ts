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

test('request: a connection that fails within an error keeps the browser’s message out of it', async () => {
  const text = () => Promise.reject(new TypeError('Load failed'));
  const broken = { ok: false, status: 502, statusText: 'Bad Gateway', text } as unknown as Response;
  jest.spyOn(globalThis, 'fetch').mockResolvedValueOnce(broken);
  await expect(request('GET', '/')).rejects.toThrow(new Error('502: Bad Gateway'));
});
