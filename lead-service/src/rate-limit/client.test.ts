import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hostService, type HostedService } from '../testing/hosted-service.ts';
import { statusOfLead } from '../testing/send-lead.ts';
import { sqlite } from '../testing/test-databases.ts';

const one = { LEADS_PER_ADDRESS: '1', LEADS_PER_NETWORK: '0' };
let number = 0;

/** Sends a unique lead and returns the response status. */
async function send(app: HostedService, forwarded?: string): Promise<number> {
  const message = `Please call me back about offer ${(number += 1)}.`;
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return statusOfLead(app, { message }, { headers });
}

test('client address: the port that a proxy appends is ignored', async () => {
  await using app = await hostService(sqlite, { TRUSTED_PROXY_HOPS: '1', ...one });
  assert.equal(await send(app, '203.0.113.3:50123'), 201);
  assert.equal(await send(app, '203.0.113.3:50999'), 429);
  assert.equal(await send(app, '[2001:db8::2]:443'), 201);
  assert.equal(await send(app, '[2001:db8::2]'), 429);
  assert.ok(!app.lines.join('\n').includes('X-Forwarded-For'));
});

describe('rate limit: a forged X-Forwarded-For', () => {
  test('changes nothing without trusted proxies', async () => {
    await using app = await hostService(sqlite, one);
    assert.equal(await send(app, '203.0.113.1'), 201);
    assert.equal(await send(app, '203.0.113.2'), 429);
  });

  test('changes nothing to the left of the entries of trusted proxies', async () => {
    await using app = await hostService(sqlite, { TRUSTED_PROXY_HOPS: '2', ...one });
    assert.equal(await send(app, '203.0.113.1, 10.0.0.1'), 201);
    assert.equal(await send(app, '198.51.100.7, 203.0.113.1, 10.0.0.1'), 429);
    assert.equal(await send(app, '203.0.113.1, 203.0.113.2, 10.0.0.1'), 201);
  });

  test('that is too short or invalid falls back to the socket address', async () => {
    await using app = await hostService(sqlite, { TRUSTED_PROXY_HOPS: '2', ...one });
    assert.equal(await send(app, '203.0.113.1'), 201);
    assert.equal(await send(app, 'unknown, 10.0.0.1'), 429);
    assert.equal(await send(app), 429);
    const warnings = app.lines.filter((line) => line.includes('X-Forwarded-For'));
    assert.equal(warnings.length, 1, 'the warning is logged once');
    assert.doesNotMatch(warnings.join(), /203\.0|10\.0|127\.0/);
  });
});
