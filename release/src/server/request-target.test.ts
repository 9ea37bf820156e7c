import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startStubService } from '../testing/stub-service.ts';
import { serveSite } from '../testing/served-site.ts';
import { normalizeRequestTarget } from './request-target.ts';

/** Paths that leave `/api` in some servers, by dot segments or percent-encoded separators. */
const refused = [
  '/api/../admin/inbox',
  '/api/./../admin/inbox',
  '/api/..',
  '/api/.',
  '/api/x/../../admin/inbox',
  '/api/../admin/inbox?a=b',
  '/api/%2e%2e/admin/inbox',
  '/api/%2E./admin/inbox',
  '/api/.%2e/admin/inbox',
  '/api/..%2fadmin/inbox',
  '/api/..%2Fadmin/inbox',
  '/api%2f..%2fadmin/inbox',
  '/api/%2e%2e%2fadmin/inbox',
  '/api\\..\\admin\\inbox',
  '/api/..\\admin\\inbox',
  '/api/..%5cadmin%5cinbox',
  '/api/%2e%2e%5Cadmin',
  '/api//../../admin/inbox',
  '/../admin/inbox',
  '/x/../api/contact',
  '/x/%2e%2e/api/contact',
  '/api#/../admin/inbox',
  '/api/contact?a#b',
  '/api/%',
  '/api/%zz',
  '/api/%00',
  '/api/%0d%0aX-Injected:%20yes',
  'http://localhost/api/../admin/inbox',
  'http://localhost/api/%2e%2e/admin/inbox',
  'http://localhost:port/api/contact',
  'http://[/api/contact',
] as const;

/** Path that the client sends → path that the server uses and passes on. */
const normalized = [
  ['/api', '/api'],
  ['/api/', '/api/'],
  ['/api/contact?from=/../x&to=..', '/api/contact?from=/../x&to=..'],
  ['/%61pi/contact', '/api/contact'],
  ['/api/%63ontact', '/api/contact'],
  ['/api/a%20b', '/api/a%20b'],
  ['/api/%c3%a9', '/api/%C3%A9'],
  ['/api/%3fx', '/api/%3Fx'],
  ['/api/%2561', '/api/%2561'],
  ['/api/...', '/api/...'],
  ['/api/.well-known', '/api/.well-known'],
  ['/api//contact', '/api//contact'],
  ['http://localhost/api/contact', '/api/contact'],
  ['HTTP://localhost:80/api/contact?x', '/api/contact?x'],
] as const;

/** Paths that never reach the service. */
const elsewhere = [
  '/admin',
  '/admin/inbox',
  '/%61dmin/inbox',
  '//api/contact',
  '//localhost/api/contact',
  '///api/contact',
  '/API/contact',
  'http://localhost//api/contact',
  'http://api/contact',
] as const;

test('request target: a path that two servers could interpret differently is refused', () => {
  for (const path of refused) assert.equal(normalizeRequestTarget(path), undefined, path);
});

test('request target: each path has one form', () => {
  for (const [path, expected] of normalized) assert.equal(normalizeRequestTarget(path), expected);
});

test('site server: no path leads to the service except below /api', async () => {
  const received: (string | undefined)[] = [];
  await using service = await startStubService(({ url }, response) => {
    received.push(url);
    response.end();
  });
  await using site = await serveSite(service.origin);
  for (const path of elsewhere) assert.deepEqual([path, (await site.request(path)).status], [path, 404]);
  assert.deepEqual(received, []);
  await site.request('/%61pi/contact');
  assert.deepEqual(received, ['/api/contact']);
});

test('site server: a request line without a path reaches nothing', async () => {
  await using service = await startStubService(() => assert.fail('Nothing is passed on.'));
  await using site = await serveSite(service.origin);
  for (const line of [
    'CONNECT 127.0.0.1:3001',
    'CONNECT /api/contact',
    'GET 127.0.0.1:3001',
    'GET api/contact',
    'OPTIONS *',
  ]) {
    const socket = connect(site.port, '127.0.0.1');
    socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    assert.match(await text(socket), /^$|^HTTP\/1\.1 4/, line);
  }
});
