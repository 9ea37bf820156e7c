import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sampleLead } from '../testing/sample-lead.ts';
import { serveDatabase, type ServedApp } from '../testing/served-app.ts';
import { createSqlite } from '../testing/test-databases.ts';

const one = { address: 1, network: 0 };
let number = 0;

/** Sends a lead like no other, and returns the status of the answer. */
async function send(app: ServedApp, forwarded?: string): Promise<number> {
  const message = `Please call me back about offer ${(number += 1)}.`;
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return (await app.post('/api/contact', { ...sampleLead, message }, headers)).status;
}

test('an address that a proxy has added with its port is that address', async () => {
  await using database = await createSqlite();
  await using app = await serveDatabase(database, { quotas: one, trustedProxyHops: 1 });
  assert.equal(await send(app, '203.0.113.3:50123'), 201);
  assert.equal(await send(app, '203.0.113.3:50999'), 429);
  assert.equal(await send(app, '[2001:db8::2]:443'), 201);
  assert.equal(await send(app, '[2001:db8::2]'), 429);
  assert.ok(!app.lines.join('\n').includes('X-Forwarded-For'));
});

describe('a forged X-Forwarded-For', () => {
  test('has no effect where no proxy is trusted', async () => {
    await using database = await createSqlite();
    await using app = await serveDatabase(database, { quotas: one });
    assert.equal(await send(app, '203.0.113.1'), 201);
    assert.equal(await send(app, '203.0.113.2'), 429);
  });

  test('has no effect to the left of what the trusted proxies have added', async () => {
    await using database = await createSqlite();
    await using app = await serveDatabase(database, { quotas: one, trustedProxyHops: 2 });
    assert.equal(await send(app, '203.0.113.1, 10.0.0.1'), 201);
    assert.equal(await send(app, '198.51.100.7, 203.0.113.1, 10.0.0.1'), 429);
    assert.equal(await send(app, '203.0.113.1, 203.0.113.2, 10.0.0.1'), 201);
  });

  test('that is too short, or no address, leaves the address of the socket', async () => {
    await using database = await createSqlite();
    await using app = await serveDatabase(database, { quotas: one, trustedProxyHops: 2 });
    assert.equal(await send(app, '203.0.113.1'), 201);
    assert.equal(await send(app, 'unknown, 10.0.0.1'), 429);
    assert.equal(await send(app), 429);
    const warnings = app.lines.filter((line) => line.includes('X-Forwarded-For'));
    assert.equal(warnings.length, 1, 'which is said once');
    assert.doesNotMatch(warnings.join(), /203\.0|10\.0|127\.0/);
  });
});
