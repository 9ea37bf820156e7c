import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedLead } from '../testing/accepted-lead.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { openSharedStores } from '../testing/shared-stores.ts';
import { databaseKinds } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { openOperations } from './operations.ts';

for (const kind of databaseKinds.filter(({ name }) => name === 'PostgreSQL')) {
  test('while PostgreSQL is away that is a number, and what waits to be handed on grows older', async () => {
    await using database = await kind.create();
    await using shared = await openSharedStores(database);
    const log = createMemoryLog();
    const operations = await openOperations(
      {
        metrics: { host: '127.0.0.1', port: 0 },
        lateAfterSeconds: 600,
        stopDelaySeconds: 0,
        tracesUrl: undefined,
        livePage: undefined,
      },
      log,
    );
    await using closing = new AsyncDisposableStack();
    closing.defer(() => operations.stop());
    const { readiness } = await operations.watch(shared.stores, { waitsFor: undefined });
    const url = /http:\S+/.exec(log.lines.join('\n'))?.[0] ?? assert.fail();
    async function gauge(name: string): Promise<number> {
      const metrics = await (await fetch(url)).text();
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1]);
    }

    await shared.stores.leads.add(acceptedLead('Waits to be handed on.', 'key'));
    assert.equal(await gauge('database_up'), 1);
    const before = await gauge('oldest_undelivered_seconds');

    shared.proxy.become('refusing');
    await until(async () => (await gauge('database_up')) === 0);
    const away = await gauge('oldest_undelivered_seconds');
    assert.ok(away > before);
    await until(async () => (await gauge('oldest_undelivered_seconds')) > away);
    const { status, reasons } = await readiness.check();
    assert.deepEqual([status, reasons], ['degraded', ['The database does not answer.']]);
  });
}
