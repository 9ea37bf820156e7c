/** @jest-environment node */
import { startSiteForEachTest } from '../testing/start-site-for-each-test.ts';
import { request } from './request.ts';

const site = startSiteForEachTest();

test('a body is sent as JSON, with the cookies of the site', async () => {
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

test('without a body nothing is said about its type', async () => {
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

test('further headers are sent along, and change nothing about the rest', async () => {
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

test('an answer that is OK is handed on', async () => {
  site.answerWith({ status: 202, body: 'later' });
  const response = await request('GET', '/');
  expect(response.status).toBe(202);
  expect(await response.text()).toBe('later');
});

test('any other answer fails with its status and its text', async () => {
  site.answerWith({ status: 429, body: 'Please wait a minute.' });
  await expect(request('GET', '/')).rejects.toThrow(new Error('429: Please wait a minute.'));
});

test('an answer without a text fails with its status and the status text', async () => {
  site.answerWith({ status: 503, statusText: 'Out For Lunch' });
  await expect(request('GET', '/')).rejects.toThrow(new Error('503: Out For Lunch'));
});
