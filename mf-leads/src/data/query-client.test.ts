import { stubFetchForEachTest } from '../testing/stub-fetch-for-each-test.ts';
import { createQueryClient } from './query-client.ts';

const site = stubFetchForEachTest();

const query = { queryKey: ['/api/plans', 7, 'limits'] };

test('query: joins its key with slashes and parses JSON', async () => {
  site.respondWith({ status: 200, body: '{"limits":[3]}' });
  await expect(createQueryClient().fetchQuery(query)).resolves.toEqual({ limits: [3] });
  expect(site.requests).toMatchObject([
    { method: 'GET', path: '/api/plans/7/limits', credentials: 'include' },
  ]);
});

test('query: status 401 can return null instead', async () => {
  site.respondWith({ status: 401, body: 'Sign in first.' });
  await expect(createQueryClient('return-null').fetchQuery(query)).resolves.toBeNull();
});

test.each([
  ['status 401 by default', 'throw', { status: 401, body: 'Sign in first.' }],
  ['other failures', 'return-null', { status: 403, body: 'Not yours.' }],
] as const)('query: %s are errors', async (_what, on401, response) => {
  site.respondWith(response);
  const error = new Error(`${response.status}: ${response.body}`);
  await expect(createQueryClient(on401).fetchQuery(query)).rejects.toThrow(error);
});

test('query client: no automatic refetch, no retry, and a failure at once while offline', () => {
  const common = { retry: false, networkMode: 'always' };
  expect(createQueryClient().getDefaultOptions()).toMatchObject({
    queries: { ...common, refetchInterval: false, refetchOnWindowFocus: false, staleTime: Infinity },
    mutations: common,
  });
});
