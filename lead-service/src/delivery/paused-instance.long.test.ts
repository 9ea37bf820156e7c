import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveDelivery } from '../testing/served-delivery.ts';
import { startService } from '../testing/service-process.ts';
import { postgres } from '../testing/test-databases.ts';
import { until } from '../testing/until.ts';
import { startWebhookReceiver, webhookSecret } from '../testing/webhook-receiver.ts';

const leaseSeconds = 2;
const leads = 40;
/** Number of webhooks that one instance sends concurrently. */
const concurrency = 8;

test(
  'a process that was stopped for longer than its leases sends nothing that another has sent',
  postgres.options,
  async () => {
    await using database = await postgres.open();
    await using receiver = await startWebhookReceiver();
    // The receiver tells the instances apart by the host name.
    const start = (host: string) =>
      startService({
        ...database.environment,
        DATA_DIR: join(database.dataDirectory, host),
        WEBHOOKS: `crm=${receiver.url.replace('127.0.0.1', host)}`,
        WEBHOOK_SECRETS: `crm=${webhookSecret}`,
        DELIVERY_LEASE_SECONDS: String(leaseSeconds),
      });
    {
      await using service = await serveDelivery(database, { enabled: false, webhook: receiver.url });
      for (let number = 0; number < leads; number += 1) {
        await service.lead({ email: `ada${number}@example.com` });
      }
    }
    const stopped = Promise.withResolvers<undefined>();
    receiver.answer((response) => {
      paused.child.kill('SIGSTOP');
      response.end();
      stopped.resolve(undefined);
    });
    await using paused = start('localhost');
    await stopped.promise;
    await using other = start('127.0.0.1');
    await other.url();
    const isFrom = (host: string) => (webhook: { headers: Readonly<Record<string, string>> }) =>
      webhook.headers['host']?.startsWith(host) === true;
    const pending = { kind: 'webhook', state: 'pending' } as const;
    await until(async () => (await database.rows('outbox', pending)).length === 0);
    const before = receiver.received.length;
    const sentByOther = new Set(receiver.received.filter(isFrom('127.0.0.1')).map(({ id }) => id));
    assert.ok(sentByOther.size >= leads - concurrency);

    // It finishes the deliveries in flight before it exits.
    paused.child.kill('SIGTERM');
    paused.child.kill('SIGCONT');
    assert.equal((await paused.exit).code, 0);
    const late = receiver.received.slice(before).filter(isFrom('localhost'));
    assert.deepEqual(
      late.map(({ id }) => id).filter((id) => sentByOther.has(id)),
      [],
    );
  },
);
