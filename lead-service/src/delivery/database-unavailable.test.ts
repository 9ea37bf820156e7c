import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDatabaseProxy } from '../testing/database-proxy.ts';
import { serveDelivery } from '../testing/served-delivery.ts';
import { postgres } from '../testing/test-databases.ts';
import { untilLength } from '../testing/until.ts';
import { startWebhookReceiver } from '../testing/webhook-receiver.ts';

test(
  'deliveries: an outage of PostgreSQL sends nothing twice, and spooled leads are delivered afterwards',
  postgres.options,
  async () => {
    await using database = await postgres.create();
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

    proxy.setMode('refusing');
    finish();
    await service.line('deliveries paused (reason=');
    const spooled = await service.lead({ message: 'The database is away.' });
    assert.equal(await service.stores.spool?.depth(), 1);
    proxy.setMode('pass');

    await untilLength(() => receiver.received, 2);
    await service.reached('webhook', 'done');
    await untilLength(() => service.attempts('webhook'), 2);
    const leads = receiver.received.map(({ payload }) => (payload as { data: { id: string } }).data.id);
    assert.equal(leads[1], spooled);
    assert.notEqual(leads[0], spooled);
  },
);
