/** @jest-environment node */
import { onlineManager } from '@tanstack/react-query';
import { startSiteForEachTest } from '../testing/start-site-for-each-test.ts';
import { createQueryClient } from './query-client.ts';

const site = startSiteForEachTest();

const query = { queryKey: ['/api/plans', 7, 'limits'] };

test('a query gets the parts of its key joined with slashes, and reads JSON', async () => {
  site.answerWith({ status: 200, body: '{"limits":[3]}' });
  await expect(createQueryClient().fetchQuery(query)).resolves.toEqual({ limits: [3] });
  expect(site.requests).toMatchObject([
    { method: 'GET', path: '/api/plans/7/limits', credentials: 'include' },
  ]);
});

test('a visitor who is not signed in is an error by default', async () => {
  site.answerWith({ status: 401, body: 'Sign in first.' });
  await expect(createQueryClient().fetchQuery(query)).rejects.toThrow(new Error('401: Sign in first.'));
});

test('a visitor who is not signed in can be no data instead', async () => {
  site.answerWith({ status: 401, body: 'Sign in first.' });
  await expect(createQueryClient({ on401: 'return-null' }).fetchQuery(query)).resolves.toBeNull();
});

test('other failures stay errors then', async () => {
  site.answerWith({ status: 403, body: 'Not yours.' });
  const client = createQueryClient({ on401: 'return-null' });
  await expect(client.fetchQuery(query)).rejects.toThrow(new Error('403: Not yours.'));
});

test('a failed query is not tried again', async () => {
  site.answerWith({ status: 500 });
  await expect(createQueryClient().fetchQuery(query)).rejects.toThrow();
  expect(site.requests).toHaveLength(1);
});

test('what was fetched once stays fresh', async () => {
  site.answerWith({ status: 200, body: '1' });
  const client = createQueryClient();
  await client.fetchQuery(query);
  await client.fetchQuery(query);
  expect(site.requests).toHaveLength(1);
});

test('nothing is fetched again by itself, and nothing that failed is repeated', () => {
  expect(createQueryClient().getDefaultOptions()).toMatchObject({
    queries: { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Infinity, retry: false },
    mutations: { retry: false },
  });
});

test('a query does not wait unseen for the network to come back', async () => {
  onlineManager.setOnline(false);
  try {
    site.answerWith({ status: 200, body: '1' });
    await expect(createQueryClient().fetchQuery(query)).resolves.toBe(1);
  } finally {
    onlineManager.setOnline(true);
  }
});
