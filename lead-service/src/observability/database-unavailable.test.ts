import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { hostService } from '../testing/hosted-service.ts';
import { sendLead } from '../testing/send-lead.ts';
import { postgres } from '../testing/test-databases.ts';
import { until, untilEqual } from '../testing/until.ts';

test(
  'metrics: an outage of PostgreSQL sets database_up, and the backlog ages',
  postgres.options,
  async () => {
    await using database = await postgres.open();
    await using proxy = await startDatabaseProxy(database.environment['DATABASE_URL'] ?? '');
    await using service = await hostService(database, { DATABASE_URL: proxy.url });
    async function gauge(name: string): Promise<number> {
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await service.metrics())?.[1]);
    }

    // Its mail stays undelivered, because `hostService` turns deliveries off.
    await sendLead(service);
    assert.equal(await gauge('database_up'), 1);
    const before = await gauge('oldest_undelivered_seconds');

    proxy.setMode('refusing');
    await untilEqual(() => gauge('database_up'), 0);
    const duringOutage = await gauge('oldest_undelivered_seconds');
    assert.ok(duringOutage > before);
    await until(
      () => gauge('oldest_undelivered_seconds'),
      (age) => age > duringOutage,
    );
    const readiness = await (await fetch(`${service.url}/readyz`)).json();
    assert.deepEqual(readiness, { status: 'degraded', reasons: ['The database does not answer.'] });
  },
);
