import { createIntake } from '../../intake.ts';
import { createLead, type SpamVerdict } from '../../lead.ts';
import type { DeliveryAttemptRow, DeliveryKind, OutboxRow } from '../../store/tables.ts';
import { openStores, type Stores } from '../../store/open-stores.ts';
import { createMemoryLog } from '../../testing/memory-log.ts';
import { sampleLead } from '../../testing/sample-lead.ts';
import type { TestDatabase } from '../../testing/test-databases.ts';
import { until } from '../../testing/until.ts';
import { createDelivery, type Delivery, type DeliveryDependencies } from '../create-delivery.ts';
import type { DeliveryConfig } from '../delivery-config.ts';
import { planDeliveries } from '../plan-deliveries.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { webhookSecret } from './webhook-receiver.ts';

interface Overrides extends Partial<Omit<DeliveryConfig, 'webhooks'>> {
  readonly smtpUrl?: string;
  /** Address of the endpoint `crm`. */
  readonly webhook?: string;
  readonly secrets?: readonly string[];
  readonly allowPrivate?: boolean;
}

/** The delivery of a service on a database, with a clock that the test puts forward. Disposing of it stops it. */
export interface ServedDelivery extends AsyncDisposable {
  readonly delivery: Delivery;
  readonly stores: Stores;
  readonly clock: TestClock;
  readonly lines: readonly string[];
  /** Stores a lead as the service does, and returns its id. */
  lead(fields?: Partial<typeof sampleLead>, verdict?: SpamVerdict): Promise<string>;
  /** Lets so much time pass. */
  pass(milliseconds: number): void;
  /** Resolves with the delivery of this kind once it is in this state. Of several, the last. */
  reached(kind: DeliveryKind, state: OutboxRow['state'], attempts?: number): Promise<OutboxRow>;
  attempts(kind: DeliveryKind): Promise<DeliveryAttemptRow[]>;
}

export async function serveDelivery(
  database: TestDatabase,
  { smtpUrl, webhook, secrets = [webhookSecret], allowPrivate = true, ...overrides }: Overrides = {},
  options: Partial<DeliveryDependencies> = {},
): Promise<ServedDelivery> {
  const log = createMemoryLog();
  const clock = createTestClock();
  const stores = await openStores(database.location, database.dataDirectory, log);
  const { db } = stores.database;
  const delivery = createDelivery(
    {
      enabled: true,
      // Longer than what a test lets pass while something is being sent.
      leaseSeconds: 3_600,
      mail: { smtpUrl, from: 'Site <site@example.org>', salesAddress: 'sales@example.org' },
      webhooks: {
        endpoints: webhook === undefined ? [] : [{ name: 'crm', url: webhook, secrets }],
        allowPrivate,
      },
      ...overrides,
    },
    {
      database: stores.database,
      dataDirectory: database.dataDirectory,
      log,
      clock: () => clock.now(),
      ...options,
    },
  );
  const intake = createIntake(stores.leads, (lead) => planDeliveries(lead, delivery.webhooks), log);
  delivery.start();

  return {
    delivery,
    stores,
    clock,
    lines: log.lines,
    async lead(changes = {}, verdict) {
      const fields = { ...sampleLead, ...changes };
      const lead = createLead({ type: 'demo', fields, ...(verdict !== undefined && { verdict }) });
      const { leadId } = await intake.accept({ lead, fields, idempotencyKey: lead.id });
      delivery.nudge();
      return leadId;
    },
    pass(milliseconds) {
      clock.advance(milliseconds);
      delivery.nudge();
    },
    async reached(kind, state, attempts) {
      let found: OutboxRow | undefined;
      await until(async () => {
        found = await db
          .selectFrom('outbox')
          .selectAll()
          .where('kind', '=', kind)
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirst();
        return found?.state === state && (attempts === undefined || found.attempts === attempts);
      });
      if (found === undefined) throw new Error('It has gone.');
      return found;
    },
    attempts: (kind) =>
      db
        .selectFrom('deliveryAttempts')
        .innerJoin('outbox', 'outbox.id', 'deliveryAttempts.outboxId')
        .selectAll('deliveryAttempts')
        .where('outbox.kind', '=', kind)
        .orderBy('outbox.id')
        .orderBy('deliveryAttempts.number')
        .execute(),
    async [Symbol.asyncDispose]() {
      await delivery.stop();
      await stores.close();
    },
  };
}
