import assert from 'node:assert/strict';
import type { DeliveryKind, OutboxRow } from '../database/tables.ts';
import { createDelivery, type DeliveryDependencies } from '../delivery/create-delivery.ts';
import type { DeliveryConfig } from '../delivery/delivery-settings.ts';
import type { WebhookFormat } from '../delivery/webhooks/webhook-body.ts';
import type { SpamClassification } from '../intake/create-lead.ts';
import { createMemoryLog } from './memory-log.ts';
import type { sampleLead } from './sample-lead.ts';
import { startSmtpReceiver } from './smtp-receiver.ts';
import { storeLead } from './store-lead.ts';
import type { DatabaseKind, TestDatabase } from './test-databases.ts';
import { until } from './until.ts';
import { startWebhookReceiver, webhookSecret } from './webhook-receiver.ts';

const sales = 'sales@example.org';
const salesAddresses = { trial: sales, demo: sales, contact: sales };

interface Overrides extends Partial<Omit<DeliveryConfig, 'mail' | 'webhooks'>> {
  /** URL of a mail server, or `true` for the receiver of this delivery. By default, mail goes to files. */
  readonly smtp?: string | true;
  readonly requireTls?: boolean;
  /** URL of the endpoint `crm`, or `true` for the receiver of this delivery. By default, there is no endpoint. */
  readonly webhook?: string | true;
  readonly secrets?: string[];
  readonly format?: WebhookFormat;
}

/**
 * Starts the delivery of a service, with a test clock. Disposal stops it.
 *
 * @param on a database, or the kind of a new one that the disposal drops
 */
export async function serveDelivery(
  on: DatabaseKind | TestDatabase,
  {
    smtp: mailServer,
    requireTls = false,
    webhook,
    secrets = [webhookSecret],
    format,
    ...overrides
  }: Overrides = {},
  options: Partial<DeliveryDependencies> = {},
) {
  await using opening = new AsyncDisposableStack();
  const database = 'create' in on ? opening.use(await on.open()) : on;
  const smtp = opening.use(await startSmtpReceiver());
  const receiver = opening.use(await startWebhookReceiver());
  const log = createMemoryLog();
  const clock = createTestClock();
  const { db, dataDirectory } = database;
  const smtpUrl = mailServer === true ? smtp.url : mailServer;
  const url = webhook === true ? receiver.url : webhook;
  const delivery = createDelivery(
    {
      enabled: true,
      // Longer than any time that a test lets pass during an attempt.
      leaseSeconds: 3_600,
      mail: { smtpUrl, requireTls, from: 'Site <site@example.org>', salesAddresses },
      webhooks: url === undefined ? [] : [{ name: 'crm', url, secrets, format }],
      ...overrides,
    },
    { database, dataDirectory, log, clock: () => clock.now(), ...options },
  );
  delivery.start();
  opening.defer(() => delivery.stop());
  const opened = opening.move();

  return {
    ...{ delivery, database, smtp, receiver, clock, lines: log.lines },
    line: (text: string) => log.line(text),
    /** Stores a lead like the service, and returns its id. */
    async lead(changes: Partial<typeof sampleLead> = {}, classification?: SpamClassification) {
      const lead = { type: 'demo', attribution: '{}', ...changes, classification } as const;
      const { id } = await storeLead(database, lead, url === undefined ? [] : ['crm']);
      delivery.notify();
      return id;
    },
    /** Advances the clock. */
    pass(milliseconds: number) {
      clock.advance(milliseconds);
      delivery.notify();
    },
    /** Resolves with the newest delivery of this kind once it is in this state. */
    async reached(kind: DeliveryKind, state: OutboxRow['state'], attempts?: number) {
      const found = await until(
        async () => (await database.rows('outbox', { kind })).at(-1),
        (row) => row?.state === state && (attempts === undefined || row.attempts === attempts),
      );
      return found ?? assert.fail(`There is no delivery by ${kind}.`);
    },
    /** Stores a lead, and returns the first attempt of its delivery once it is in this state. */
    async attempt(kind: DeliveryKind, state: OutboxRow['state']) {
      await this.lead();
      await this.reached(kind, state, 1);
      return (await this.attempts(kind))[0] ?? assert.fail(`There is no attempt by ${kind}.`);
    },
    attempts: (kind: DeliveryKind) =>
      db
        .selectFrom('deliveryAttempts')
        .innerJoin('outbox', 'outbox.id', 'deliveryAttempts.outboxId')
        .selectAll('deliveryAttempts')
        .where('outbox.kind', '=', kind)
        .orderBy('outbox.id')
        .orderBy('deliveryAttempts.number')
        .execute(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A clock that a test can advance. Begins a day ahead, so that it is later than all stored times. */
function createTestClock() {
  let ahead = 24 * 60 * 60_000;
  return {
    now: () => new Date(Date.now() + ahead),
    advance: (milliseconds: number) => void (ahead += milliseconds),
  };
}
