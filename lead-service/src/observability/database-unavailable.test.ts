import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOwnCounter } from '../rate-limit/counters.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { openSharedStores } from '../testing/shared-stores.ts';
import { acceptedLead } from '../testing/store-lead.ts';
import { postgres } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { openOperations } from './operations.ts';

test(
  'metrics: an outage of PostgreSQL sets database_up, and the backlog ages',
  postgres.options,
  async () => {
    await using shared = await openSharedStores();
    const log = createMemoryLog();
    await using operations = await openOperations(
      {
        metrics: { host: '127.0.0.1', port: 0 },
        lateAfterSeconds: 600,
        stopDelaySeconds: 0,
        tracesUrl: undefined,
        livePage: undefined,
      },
      shared.stores,
      { pauseReason: undefined },
      openOwnCounter,
      log,
    );
    const url = /http:\S+/.exec(log.lines.join('\n'))?.[0] ?? assert.fail();
    async function gauge(name: string): Promise<number> {
      const metrics = await (await fetch(url)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
    }

    await shared.stores.leads.add(acceptedLead('Waits to be handed on.', 'key'));
    assert.equal(await gauge('database_up'), 1);
    const before = await gauge('oldest_undelivered_seconds');

    shared.proxy.setMode('refusing');
    await until(
      () => gauge('database_up'),
      (value) => value === 0,
    );
    const duringOutage = await gauge('oldest_undelivered_seconds');
    assert.ok(duringOutage > before);
    await until(
      () => gauge('oldest_undelivered_seconds'),
      (age) => age > duringOutage,
    );
    const { status, reasons } = await operations.readiness.check();
    assert.deepEqual([status, reasons], ['degraded', ['The database does not answer.']]);
  },
);
