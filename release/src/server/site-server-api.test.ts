import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startLittleService } from './testing/little-service.ts';
import { serveSite } from './testing/served-site.ts';

const lead = JSON.stringify({ name: 'Jörg', message: 'Ten chars.' });

test('a lead reaches the service as it was sent, and the answer comes back as it was given', async () => {
  const received: { request: IncomingMessage; body: string }[] = [];
  await using service = await startLittleService(async (request, response) => {
    received.push({ request, body: await text(request) });
    response.writeHead(422, { 'content-type': 'text/plain; charset=utf-8', 'x-lead': 'refused' });
    response.end('Name must be at least 2 characters');
  });
  await using site = await serveSite(service.origin);
  const answer = await site.ask('/api/contact?from=page', {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: 'visit=1' },
    body: lead,
  });

  const [{ request, body } = { request: undefined, body: undefined }] = received;
  assert.equal(request?.method, 'POST');
  assert.equal(request.url, '/api/contact?from=page');
  assert.equal(request.headers['content-type'], 'application/json');
  assert.equal(request.headers.cookie, 'visit=1');
  assert.equal(request.headers['x-forwarded-for'], '127.0.0.1');
  assert.equal(body, lead);
  assert.equal(answer.status, 422);
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(answer.headers['x-lead'], 'refused');
  assert.equal(answer.body.toString(), 'Name must be at least 2 characters');
});

test('every method and path under /api is the service’s to answer, and nothing else is', async () => {
  const asked: string[] = [];
  await using service = await startLittleService(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.end();
  });
  await using site = await serveSite(service.origin);
  for (const [method, path] of [
    ['GET', '/api'],
    ['DELETE', '/api/leads/1'],
    ['GET', '/apiary'],
    ['GET', '//host/api/leads'],
    ['POST', '/mf-pricing/api/'],
  ] as const) {
    await site.ask(path, { method });
  }
  assert.deepEqual(asked, ['GET /api', 'DELETE /api/leads/1']);
});

test('while the service is away its sender is told so in a sentence, and it works again as soon as it is back', async () => {
  const { port, origin, [Symbol.asyncDispose]: stop } = await startLittleService(() => undefined);
  await stop();
  await using site = await serveSite(origin);
  const question = { method: 'POST', headers: { 'content-type': 'application/json' }, body: lead };

  const away = await site.ask('/api/contact', question);
  assert.equal(away.status, 503);
  assert.equal(away.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(away.headers['retry-after'], '5');
  assert.equal(
    away.body.toString(),
    'We could not take your message just now. Please try again in a moment.',
  );

  await using service = await startLittleService((_request, response) => response.end('Thank you'), port);
  assert.equal(service.origin, origin);
  assert.equal((await site.ask('/api/contact', question)).body.toString(), 'Thank you');
});

test('a service that hangs up without an answer counts as away', async () => {
  await using service = await startLittleService((request) => request.socket.destroy());
  await using site = await serveSite(service.origin);
  assert.equal((await site.ask('/api/contact', { method: 'POST', body: lead })).status, 503);
});

test('an answer that breaks off does not pass for a whole one', async () => {
  await using service = await startLittleService((_request, response) => {
    response.writeHead(201, { 'content-length': '100' });
    response.write('{"message":', () => response.destroy());
  });
  await using site = await serveSite(service.origin);
  await assert.rejects(site.ask('/api/contact', { method: 'POST', body: lead }));
});
