import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type HostedService, hostService } from '../testing/hosted-service.ts';
import { sendLead, statusOfLead } from '../testing/send-lead.ts';
import { sqlite } from '../testing/test-databases.ts';
import { createCounter, createExpiringMap, maxKeys, removedKeys } from './counter.ts';

/** One lead from an address, and four from a network. */
const one = { LEADS_PER_ADDRESS: '1' };
let number = 0;

/** Sends a unique lead and returns the response status. */
async function send(app: HostedService, forwarded?: string): Promise<number> {
  const message = `Please call me back about offer ${(number += 1)}.`;
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return statusOfLead(app, { message }, { headers });
}

describe('rate limit', () => {
  test('answers 429 with Retry-After beyond the quota, and stores nothing', async () => {
    await using app = await hostService(sqlite, { LEADS_PER_ADDRESS: '2' });
    for (let sent = 0; sent < 2; sent += 1) assert.equal(await send(app), 201);
    const answer = await sendLead(app);
    assert.equal(answer.status, 429);
    assert.match(answer.headers.get('retry-after') ?? '', /^(59\d|600)$/);
    assert.match(await answer.text(), /^Too many requests .* Please try again in 10 minutes\.$/);
    assert.equal((await app.database.leads()).length, 2);
  });

  test('counts clients behind the same proxy separately, however their addresses are spelt', async () => {
    await using app = await hostService(sqlite, { ...one, TRUSTED_PROXY_HOPS: '1' });
    assert.equal(await send(app, '203.0.113.1'), 201);
    assert.equal(await send(app, '203.0.113.2'), 201);
    assert.equal(await send(app, '203.0.113.1'), 429);
    assert.equal(await send(app, '::ffff:203.0.113.2'), 429);
    assert.equal(await send(app, '203.0.113.2:50123'), 429);
    assert.equal(await send(app, '[2001:db8::1]:443'), 201);
    assert.equal(await send(app, '2001:0DB8:0:0::0:1'), 429);
    assert.equal(await send(app, 'fe80::1%br-0'), 201);
    assert.equal(await send(app, 'fe80::1%eth0.1'), 429);
    assert.ok(!app.lines.join('\n').includes('X-Forwarded-For'));
  });

  test('counts a network together: a /24 of IPv4, a /64 of IPv6', async () => {
    await using app = await hostService(sqlite, { ...one, TRUSTED_PROXY_HOPS: '1' });
    for (const [network, neighbour] of [
      ['203.0.113.', '203.0.114.1'],
      ['2001:db8:1:1:ffff::', '2001:db8:1:2::1'],
    ] as const) {
      for (const host of [1, 2, 3, 4]) assert.equal(await send(app, `${network}${host}`), 201);
      assert.equal(await send(app, `${network}250`), 429);
      assert.equal(await send(app, neighbour), 201);
    }
  });
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

test('counter in memory: adds within a window and starts again after it', (t) => {
  let time = 1_000;
  t.mock.method(performance, 'now', () => time);
  const counter = createCounter(1);
  assert.deepEqual(counter.add('a'), { points: 1, secondsLeft: 1 });
  assert.deepEqual(counter.add('a', 2), { points: 3, secondsLeft: 1 });
  assert.deepEqual([counter.read('a'), counter.read('b')], [3, 0]);
  time += 999;
  assert.equal(counter.read('a'), 3);
  time += 1;
  assert.equal(counter.read('a'), 0);
  assert.deepEqual(counter.add('a'), { points: 1, secondsLeft: 1 });
});

test('counter in memory: keys of ended windows are removed, also if no later one comes', (t) => {
  let time = 0;
  t.mock.method(performance, 'now', () => time);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const windows = createExpiringMap(15);
  windows.begin('203.0.113.1', {});
  const sizes = [10, 20].map((seconds) => {
    time = seconds * 1_000;
    t.mock.timers.tick(10_000);
    return windows.size();
  });
  assert.deepEqual(sizes, [1, 0]);
});

test('counter in memory: a key beyond the maximum replaces the oldest ones', () => {
  const counter = createCounter(600);
  for (let key = 0; key <= maxKeys; key += 1) counter.add(String(key));
  const counts = [0, removedKeys - 1, removedKeys, maxKeys].map((key) => counter.read(String(key)));
  assert.deepEqual(counts, [0, 0, 1, 1]);
});
