import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { databaseKinds } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { serveDelivery } from './testing/served-delivery.ts';
import { startWebhookReceiver } from './testing/webhook-receiver.ts';

for (const kind of databaseKinds.filter(({ name }) => name === 'PostgreSQL')) {
  test('while PostgreSQL is away nothing is sent twice, and what waits in the spool is sent when it is back', async () => {
    await using database = await kind.create();
    assert.ok(database.location.kind === 'postgres');
    await using proxy = await startDatabaseProxy(database.location.url);
    await using receiver = await startWebhookReceiver();
    const arrived = Promise.withResolvers<() => void>();
    receiver.answer((response) => arrived.resolve(() => void response.end('taken')));
    await using service = await serveDelivery(
      { ...database, location: { kind: 'postgres', url: proxy.url } },
      { webhook: receiver.url },
    );
    await service.lead();
    const finish = await arrived.promise;
    await service.reached('sales-mail', 'done');
    await service.reached('confirmation-mail', 'done');

    proxy.become('refusing');
    finish();
    await until(() => service.lines.some((line) => line.includes('deliveries wait')));
    const spooled = await service.lead({ message: 'The database is away.' });
    assert.equal(await service.stores.leads.spoolDepth(), 1);
    proxy.become('through');

    await until(() => receiver.received.length === 2);
    await service.reached('webhook', 'done');
    await until(async () => (await service.attempts('webhook')).length === 2);
    const leads = receiver.received.map(({ payload }) => (payload as { data: { id: string } }).data.id);
    assert.equal(leads[1], spooled);
    assert.notEqual(leads[0], spooled);
  });
}
