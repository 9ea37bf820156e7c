import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settlingTime, type PartReport } from '@countersign/contracts/telemetry';
import { Registry } from 'prom-client';
import { openOwnCounter, type Counter, type OpenCounter } from '../rate-limit/counters.ts';
import { createSiteMetrics } from './site-metrics.ts';

const view = { part: 'mf-pricing', version: '1.1.0', group: 'canary' } as const;
const begun: PartReport = { ...view, outcome: 'begun' };
const left: PartReport = { ...view, outcome: 'left', sinceBegun: 0 };

/** An instance of the service that knows every version. */
function startInstance(open: OpenCounter = openOwnCounter) {
  const registry = new Registry();
  const site = createSiteMetrics(
    [registry],
    {
      refreshFor: async () => undefined,
      nameOf: ({ version }) => version,
      isReadable: () => true,
      reasons: () => [],
      onForget: () => undefined,
      stop: () => undefined,
    },
    { add: () => undefined },
    open,
  );
  return {
    report: (part: PartReport, network = 'one') =>
      site.count({ releaseId: 'r-0123456789ab', parts: [part], vitals: [] }, network),
    async counted() {
      const values = [...(await registry.metrics()).matchAll(/^site_part_(\w+)_total\{.*\} (\d+)$/gm)];
      return Object.fromEntries(values.map(([, name = '', value]) => [name, Number(value)]));
    },
  };
}

test('begun views: a network counts as hung once, whatever other views of it settle', async (t) => {
  let time = 0;
  t.mock.method(performance, 'now', () => time);
  const { report, counted } = startInstance();
  for (const network of ['one', 'one', 'one', 'two', 'three']) await report(begun, network);
  for (const network of ['one', 'three']) await report(left, network);
  time += 2 * settlingTime;
  assert.deepEqual(await counted(), { begun: 5, settled: 2, hung_networks: 2 });
  await report(begun, 'two');
  time += 2 * settlingTime;
  assert.deepEqual(await counted(), { begun: 6, settled: 2, hung_networks: 2 });
});

test('begun views: a network whose view settles at another instance does not hang', async (t) => {
  let time = 0;
  t.mock.method(performance, 'now', () => time);
  const shared = new Map<string, Counter>();
  const open: OpenCounter = (name, seconds) => {
    const counter = shared.get(name) ?? openOwnCounter(name, seconds);
    shared.set(name, counter);
    return counter;
  };
  const [one, other] = [startInstance(open), startInstance(open)];
  await one.report(begun);
  await other.report(left);
  time += 2 * settlingTime;
  assert.deepEqual(await one.counted(), { begun: 1, settled: 0, hung_networks: 0 });
  assert.deepEqual(await other.counted(), { begun: 0, settled: 1, hung_networks: 0 });
});

test('begun views: an outcome without its begin affects no later view, also after an hour', async (t) => {
  let time = 0;
  t.mock.method(performance, 'now', () => time);
  const { report, counted } = startInstance();
  await report(left);
  // More than two hours of views.
  for (let pair = 0; pair < 250; pair += 1) {
    await report(begun);
    await report(left);
    time += settlingTime + 1_003;
  }
  time += settlingTime;
  assert.deepEqual(await counted(), { begun: 250, settled: 250, hung_networks: 0 });
});

test('begun views: simultaneous outcomes settle no more views than began', async () => {
  const { report, counted } = startInstance();
  await report(begun);
  await Promise.all(Array.from({ length: 9 }, () => report({ ...left, sinceBegun: 2 * settlingTime })));
  assert.equal((await counted())['settled'], 1);
});
