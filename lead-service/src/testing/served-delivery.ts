import assert from 'node:assert/strict';
import type { DeliveryAttemptRow, DeliveryKind, OutboxRow } from '../database/tables.ts';
import { createDelivery, type Delivery, type DeliveryDependencies } from '../delivery/create-delivery.ts';
import type { DeliveryConfig } from '../delivery/delivery-config.ts';
import { planDeliveries } from '../delivery/plan-deliveries.ts';
import { createIntake } from '../intake/intake.ts';
import { fingerprintOf } from '../lead/fingerprint.ts';
import { createLead, type SpamClassification } from '../lead/lead.ts';
import { openStores, type Stores } from '../lead-store/open-stores.ts';
import { createMemoryLog } from './memory-log.ts';
import { sampleLead } from './sample-lead.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import type { TestDatabase } from './test-databases.ts';
import { until } from './until.ts';
import { webhookSecret } from './webhook-receiver.ts';

interface Overrides extends Partial<Omit<DeliveryConfig, 'webhooks'>> {
  readonly smtpUrl?: string;
  readonly requireTls?: boolean;
  /** URL of the endpoint `crm`. */
  readonly webhook?: string;
  readonly secrets?: readonly string[];
  readonly allowPrivate?: boolean;
}

/** The delivery of a service on a database, with a test clock. Disposal stops it. */
export interface ServedDelivery extends AsyncDisposable {
  readonly delivery: Delivery;
  readonly stores: Stores;
  readonly clock: TestClock;
  readonly lines: readonly string[];
  /** Stores a lead like the service, and returns its id. */
  lead(fields?: Partial<typeof sampleLead>, classification?: SpamClassification): Promise<string>;
  /** Advances the clock. */
  pass(milliseconds: number): void;
  /** Resolves with the newest delivery of this kind once it is in this state. */
  reached(kind: DeliveryKind, state: OutboxRow['state'], attempts?: number): Promise<OutboxRow>;
  attempts(kind: DeliveryKind): Promise<DeliveryAttemptRow[]>;
}

export async function serveDelivery(
  database: TestDatabase,
  {
    smtpUrl,
    requireTls = false,
    webhook,
    secrets = [webhookSecret],
    allowPrivate = true,
    ...overrides
  }: Overrides = {},
  options: Partial<DeliveryDependencies> = {},
): Promise<ServedDelivery> {
  const log = createMemoryLog();
  const clock = createTestClock();
  const stores = await openStores(database.location, database.dataDirectory, log);
  const { db } = stores.database;
  const delivery = createDelivery(
    {
      enabled: true,
      // Longer than any time that a test lets pass during an attempt.
      leaseSeconds: 3_600,
      mail: { smtpUrl, requireTls, from: 'Site <site@example.org>', salesAddress: 'sales@example.org' },
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
  const intake = createIntake(
    stores.leads,
    (lead) => planDeliveries(lead, delivery.webhooks),
    log,
    () => delivery.notify(),
  );
  delivery.start();

  return {
    delivery,
    stores,
    clock,
    lines: log.lines,
    async lead(changes = {}, classification) {
      const fields = { ...sampleLead, ...changes };
      const lead = createLead({
        type: 'demo',
        fields,
        ...(classification !== undefined && { classification }),
      });
      const { leadId } = await intake.accept({
        lead,
        fingerprint: fingerprintOf(lead.type, fields),
        idempotencyKey: lead.id,
      });
      return leadId;
    },
    pass(milliseconds) {
      clock.advance(milliseconds);
      delivery.notify();
    },
    async reached(kind, state, attempts) {
      const newest = db
        .selectFrom('outbox')
        .selectAll()
        .where('kind', '=', kind)
        .orderBy('id', 'desc')
        .limit(1);
      const found = await until(
        () => newest.executeTakeFirst(),
        (row) => row?.state === state && (attempts === undefined || row.attempts === attempts),
      );
      return found ?? assert.fail(`There is no delivery by ${kind}.`);
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
