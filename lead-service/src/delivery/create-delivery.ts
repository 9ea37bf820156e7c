import { join } from 'node:path';
import type { Database } from '../database/database.ts';
import type { DeliveryKind } from '../database/tables.ts';
import type { Log } from '../platform/log.ts';
import { createDeliveryWorker } from './delivery-worker.ts';
import { domainOf, salesMail } from './mail/lead-mails.ts';
import { createFileMailer, createSmtpMailer } from './mail/mailer.ts';
import { type DeliveryFilter, openOutbox } from './outbox-queue.ts';
import { createWebhookSender } from './webhooks/webhook-sender.ts';
import type { SendLead } from './attempt-delivery.ts';
import type { DeliveryConfig } from './delivery-settings.ts';

/** Timeouts, in milliseconds. */
const webhookTimeout = 15_000;
const mailTimeout = 30_000;
const defaultStopTimeout = 10_000;

export interface DeliveryDependencies {
  readonly database: Database;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly clock?: () => Date;
  /** Milliseconds for the deliveries in flight when the service stops. */
  readonly stopTimeout?: number;
}

/** Delivers the leads of a service by mail and webhooks, concurrently with other instances on the same database. */
export function createDelivery(
  { enabled, leaseSeconds, mail, webhooks }: DeliveryConfig,
  {
    database,
    dataDirectory,
    log,
    clock = () => new Date(),
    stopTimeout = defaultStopTimeout,
  }: DeliveryDependencies,
) {
  if (!enabled) return { start: () => undefined, notify: () => undefined, stop: async () => undefined };
  const lease = leaseSeconds * 1_000;
  // An attempt must end before its lease, because another instance may then start the next one.
  const withinLease = (timeout: number) => Math.min(timeout, lease / 2);
  const mailDirectory = join(dataDirectory, 'mails');
  const deliveryExists = async (id: string) => {
    const row = await database.db.selectFrom('outbox').select('id').where('id', '=', id).executeTakeFirst();
    return row !== undefined;
  };
  const sendMail =
    mail.smtpUrl === undefined
      ? createFileMailer(mailDirectory, deliveryExists)
      : createSmtpMailer(mail.smtpUrl, domainOf(mail.from), mail.requireTls, withinLease(mailTimeout));
  const senders: Readonly<Record<DeliveryKind, SendLead>> = {
    webhook: createWebhookSender(webhooks, withinLease(webhookTimeout)),
    'sales-mail': ({ id }, lead, signal) => sendMail(salesMail(id, lead, mail), signal),
  };
  const readLead = (id: string) =>
    database.db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirst();
  const interruption = new AbortController();
  const context = { readLead, senders, clock, log, lease, interruption: interruption.signal };
  const queue = openOutbox(database, lease);
  const filters = filtersFor(Object.keys(senders) as DeliveryKind[], webhooks);
  const workers = filters.map((filter) => createDeliveryWorker(queue, filter, context));
  return {
    start() {
      if (mail.smtpUrl === undefined) {
        log.warn(`no SMTP_URL is set: mail is kept as .eml files in ${mailDirectory}`);
      }
      for (const worker of workers) worker.start();
    },
    /** Wakes the workers. Without a notification they find new deliveries within one second. */
    notify() {
      for (const worker of workers) worker.notify();
    },
    /** Stops claiming deliveries and finishes those in flight. Aborts attempts that exceed the stop timeout. */
    async stop() {
      const deadline = setTimeout(() => interruption.abort(), stopTimeout);
      await Promise.all(workers.map((worker) => worker.stop()));
      clearTimeout(deadline);
    },
  };
}

/** A filter for the worker of each webhook endpoint, and of each kind. That of webhooks has those of removed endpoints. */
function filtersFor(kinds: readonly DeliveryKind[], webhooks: DeliveryConfig['webhooks']): DeliveryFilter[] {
  const toEndpoints = webhooks.map(
    ({ name }): DeliveryFilter =>
      ({ and, eb }) =>
        and([eb('kind', '=', 'webhook'), eb('target', '=', name)]),
  );
  const toOthers = kinds.map(
    (kind): DeliveryFilter =>
      (outbox) =>
        outbox.and([
          outbox.eb('kind', '=', kind),
          ...toEndpoints.map((filter) => outbox.not(filter(outbox))),
        ]),
  );
  return [...toEndpoints, ...toOthers];
}
