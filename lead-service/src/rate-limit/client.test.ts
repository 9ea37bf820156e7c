import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleLead } from '../testing/sample-lead.ts';
import { serveDatabase, type ServedApp } from '../testing/served-app.ts';
import { createSqlite } from '../testing/test-databases.ts';

const one = { address: 1, network: 0 };
let number = 0;

/** Sends a unique lead and returns the response status. */
async function send(app: ServedApp, forwarded?: string): Promise<number> {
  const message = `Please call me back about offer ${(number += 1)}.`;
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return (await app.post('/api/contact', { ...sampleLead, message }, headers)).status;
}

test('client address: the port that a proxy appends is ignored', async () => {
  await using database = await createSqlite();
  await using app = await serveDatabase(database, { quotas: one, trustedProxyHops: 1 });
  assert.equal(await send(app, '203.0.113.3:50123'), 201);
  assert.equal(await send(app, '203.0.113.3:50999'), 429);
  assert.equal(await send(app, '[2001:db8::2]:443'), 201);
  assert.equal(await send(app, '[2001:db8::2]'), 429);
  assert.ok(!app.lines.join('\n').includes('X-Forwarded-For'));
});

describe('rate limit: a forged X-Forwarded-For', () => {
  test('changes nothing without trusted proxies', async () => {
    await using database = await createSqlite();
    await using app = await serveDatabase(database, { quotas: one });
    assert.equal(await send(app, '203.0.113.1'), 201);
    assert.equal(await send(app, '203.0.113.2'), 429);
  });

  test('changes nothing to the left of the entries of trusted proxies', async () => {
    await using database = await createSqlite();
    await using app = await serveDatabase(database, { quotas: one, trustedProxyHops: 2 });
    assert.equal(await send(app, '203.0.113.1, 10.0.0.1'), 201);
    assert.equal(await send(app, '198.51.100.7, 203.0.113.1, 10.0.0.1'), 429);
    assert.equal(await send(app, '203.0.113.1, 203.0.113.2, 10.0.0.1'), 201);
  });

  test('that is too short or invalid falls back to the socket address', async () => {
    await using database = await createSqlite();
    await using app = await serveDatabase(database, { quotas: one, trustedProxyHops: 2 });
    assert.equal(await send(app, '203.0.113.1'), 201);
    assert.equal(await send(app, 'unknown, 10.0.0.1'), 429);
    assert.equal(await send(app), 429);
    const warnings = app.lines.filter((line) => line.includes('X-Forwarded-For'));
    assert.equal(warnings.length, 1, 'the warning is logged once');
    assert.doesNotMatch(warnings.join(), /203\.0|10\.0|127\.0/);
  });
});
