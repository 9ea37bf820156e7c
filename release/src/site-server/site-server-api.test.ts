import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { apiMethods } from './api-proxy.ts';
import { startStubService } from '../testing/stub-service.ts';
import { serveSite } from '../testing/served-site.ts';

const lead = JSON.stringify({ name: 'Jörg', message: 'Ten chars.' });

test('proxy: request and response of a lead are passed on unchanged', async () => {
  const received: { request: IncomingMessage; body: string }[] = [];
  await using service = await startStubService(async (request, response) => {
    received.push({ request, body: await text(request) });
    const hop = { connection: 'close, X-Hop', 'x-hop': 'of the service' };
    response.writeHead(422, { 'content-type': 'text/plain; charset=utf-8', 'x-lead': 'refused', ...hop });
    response.end('Name must be at least 2 characters');
  });
  await using site = await serveSite(service.origin);
  const answer = await site.request('/api/contact?from=page', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: 'visit=1',
      connection: 'close, X-Hop,x-forwarded-for',
      'x-hop': 'of the client',
      'x-forwarded-for': '192.0.2.1',
    },
    body: lead,
  });

  const [{ request, body } = { request: undefined, body: undefined }] = received;
  assert.equal(request?.method, 'POST');
  assert.equal(request.url, '/api/contact?from=page');
  assert.equal(request.headers['content-type'], 'application/json');
  assert.equal(request.headers.cookie, undefined);
  assert.equal(request.headers['x-forwarded-for'], '192.0.2.1, 127.0.0.1');
  assert.deepEqual([request.headers['x-hop'], answer.headers['x-hop']], [undefined, undefined]);
  assert.equal(body, lead);
  assert.equal(answer.status, 422);
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(answer.headers['x-lead'], 'refused');
  assert.equal(answer.body.toString(), 'Name must be at least 2 characters');
});

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n';
const chunked = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`;

for (const method of ['GET', 'OPTIONS', 'POST', 'DELETE']) {
  test(`proxy: a chunked body of a ${method} is no request to a service`, { timeout: 5_000 }, async () => {
    const received: string[] = [];
    await using service = await startStubService((request, response) => {
      received.push(request.url ?? '');
      request.resume().on('end', () => response.end());
    });
    await using site = await serveSite(service.origin);
    const client = connect(site.port, '127.0.0.1');
    client.write(
      `${method} /api/page-reports HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, upgrade\r\n` +
        `Transfer-Encoding: chunked\r\n\r\n${chunked}GET /api/last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    await text(client);
    const isAllowed = apiMethods.includes(method);
    assert.deepEqual(received, [...(isAllowed ? ['/api/page-reports'] : []), '/api/last']);
  });
}

test('proxy: a client that leaves ends the request to the service', { timeout: 5_000 }, async () => {
  const arrived = Promise.withResolvers<IncomingMessage>();
  await using service = await startStubService((request) => arrived.resolve(request));
  await using site = await serveSite(service.origin);
  const client = connect(site.port, '127.0.0.1');
  client.write('POST /api/contact HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf');
  const { socket } = await arrived.promise;
  client.destroy();
  await new Promise((closed) => socket.once('close', closed));
});

test('proxy: an unavailable service gives 503, and recovers without a restart', async () => {
  let isUnavailable = true;
  // Keeps its port while it is unavailable. A port that is free again could become that of the site, which would then ask itself.
  await using service = await startStubService(({ socket }, response) => {
    if (isUnavailable) socket.resetAndDestroy();
    else response.end('Thank you');
  });
  await using site = await serveSite(service.origin);
  const question = { method: 'POST', headers: { 'content-type': 'application/json' }, body: lead };

  const unavailable = await site.request('/api/contact', question);
  assert.equal(unavailable.status, 503);
  assert.equal(unavailable.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(unavailable.headers['retry-after'], '5');
  assert.equal(
    unavailable.body.toString(),
    'We could not take your message just now. Please try again in a moment.',
  );

  isUnavailable = false;
  assert.equal((await site.request('/api/contact', question)).body.toString(), 'Thank you');
});

test('proxy: a truncated response is aborted', async () => {
  await using service = await startStubService((_request, response) => {
    response.writeHead(201, { 'content-length': '100' });
    response.write('{"message":', () => response.destroy());
  });
  await using site = await serveSite(service.origin);
  await assert.rejects(site.request('/api/contact', { method: 'POST', body: lead }));
});

test('proxy: no path leads to the service except below /api', async () => {
  const received: (string | undefined)[] = [];
  await using service = await startStubService(({ url }, response) => {
    received.push(url);
    response.end();
  });
  await using site = await serveSite(service.origin);
  for (const path of [
    '/admin/inbox',
    '/api/../admin/inbox',
    '/api/%2e%2e/admin/inbox',
    '/api/..\\admin\\inbox',
    '//api/contact',
    '//localhost/api/contact',
    '/API/contact',
  ]) {
    assert.deepEqual([path, (await site.request(path)).status], [path, 404]);
  }
  assert.equal((await site.request('http://localhost/api/contact')).status, 400);
  assert.deepEqual(received, []);
  await site.request('/x/../api/contact?from=/../x');
  assert.deepEqual(received, ['/api/contact?from=/../x']);
});
