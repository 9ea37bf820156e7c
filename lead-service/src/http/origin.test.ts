import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { sendRaw } from '../testing/send-lead.ts';
import { sqlite } from '../testing/test-databases.ts';

describe('cross-origin lead', () => {
  let app: HostedService;
  before(async () => void (app = await hostService(sqlite, { ALLOWED_ORIGINS: 'https://partner.example' })));
  after(() => app[Symbol.asyncDispose]());

  const send = (headers: Readonly<Record<string, string>>) =>
    sendRaw(
      `${app.url}/api/contact`,
      { 'content-type': 'application/json', ...headers },
      JSON.stringify(sampleLead),
    );

  for (const [from, headers] of [
    ['the same origin', { host: 'www.site.example', origin: 'https://www.site.example' }],
    ['the same origin with a port', { host: 'localhost:3000', origin: 'http://localhost:3000' }],
    ['a host with the default port', { host: 'www.site.example:443', origin: 'https://www.site.example' }],
    ['a host with a dot at its end', { host: 'WWW.site.example.', origin: 'https://www.site.example' }],
    [
      'the same origin behind a proxy that rewrites Host',
      { host: '10.0.0.7:3001', origin: 'https://a.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['an allowed origin', { origin: 'https://partner.example', 'sec-fetch-site': 'cross-site' }],
    ['a client without an Origin header', {}],
  ] as const) {
    test(`from ${from} is accepted`, async () => {
      assert.equal((await send(headers)).status, 201);
    });
  }

  // The log has the first one only.
  test('from another host is logged once, with its origin and host', async () => {
    for (const host of ['backend:3001', 'backend:3002'])
      assert.equal((await send({ host, origin: 'https://www.site.example/path' })).status, 403);
    const lines = app.lines.filter((line) => line.includes('its origin is not its host'));
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /origin=www\.site\.example: host=backend:3001/);
  });

  for (const [from, headers] of [
    ['another host', { host: 'www.site.example', origin: 'https://evil.example' }],
    ['another port', { host: 'localhost:3000', origin: 'http://localhost:4000' }],
    ['an opaque origin', { host: 'www.site.example', origin: 'null' }],
    ['a cross-site page without an Origin header', { 'sec-fetch-site': 'cross-site' }],
    ['a host that starts with an allowed host', { origin: 'https://partner.example.evil.example' }],
  ] as const) {
    test(`from ${from} is refused with 403`, async () => {
      const { status, body } = await send(headers);
      assert.equal(status, 403);
      assert.equal(body, 'This form can only be sent from our own site.');
    });
  }

  const partner = 'https://partner.example';
  const asked = 'content-type,idempotency-key,traceparent,x-request-id';
  const preflight = (origin: string, path: string) =>
    fetch(app.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': asked,
      },
    });

  test('passes the CORS preflight of an allowed origin', async () => {
    for (const path of ['/api/trial', '/api/demo', '/api/contact', '/api/contact/']) {
      const { status, headers } = await preflight(partner, path);
      assert.equal(status, 204);
      assert.equal(headers.get('access-control-allow-origin'), partner);
      assert.match(headers.get('access-control-allow-methods') ?? '', /\bPOST\b/);
      assert.equal(headers.get('access-control-allow-headers'), asked);
      assert.match(headers.get('access-control-max-age') ?? '', /^\d+$/);
      assert.match(headers.get('vary') ?? '', /\bOrigin\b/);
    }
  });

  test('gets a response that an allowed origin can read, even for a refusal', async () => {
    for (const [path, lead, status] of [
      ['/api/contact', sampleLead, 201],
      ['/api/contact/', sampleLead, 201],
      ['/api/contact', { ...sampleLead, email: 'none' }, 422],
    ] as const) {
      const answer = await app.post(path, lead, { origin: partner });
      assert.equal(answer.status, status);
      assert.equal(answer.headers.get('access-control-allow-origin'), partner);
      assert.match(answer.headers.get('access-control-expose-headers') ?? '', /Idempotency-Replayed/);
      assert.match(answer.headers.get('vary') ?? '', /\bOrigin\b/);
    }
  });

  test('gets no CORS headers for other origins or other paths', async () => {
    const refused = await preflight('https://evil.example', '/api/contact');
    assert.equal(refused.status, 405);
    for (const answer of [
      refused,
      await app.post('/api/contact', sampleLead, { origin: 'https://evil.example' }),
      await app.post('/api/contact', sampleLead),
      await preflight(partner, '/api/openapi.json'),
    ]) {
      assert.equal(answer.headers.get('access-control-allow-origin'), null);
    }
  });
});
