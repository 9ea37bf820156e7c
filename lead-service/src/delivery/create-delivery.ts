import { join } from 'node:path';
import type { Log } from '../log.ts';
import type { Database } from '../store/database.ts';
import type { DeliveryObserver } from './attempt-delivery.ts';
import type { DeliveryConfig } from './delivery-config.ts';
import { createFileMailer, createSmtpMailer, type SendMail } from './mail/mailer.ts';
import { OutboxWorker } from './outbox-worker.ts';
import { createPrepare } from './prepare-delivery.ts';
import type { Resolve } from './webhooks/public-address.ts';
import { createWebhookSender } from './webhooks/webhook-sender.ts';

const webhookTimeout = 15_000;
const mailTimeout = 30_000;

/** What takes the leads of a service further. */
export interface Delivery {
  /** Names of the webhook endpoints, for what is planned with each lead. */
  readonly webhooks: readonly string[];
  start(): void;
  /** There is something new to send. */
  nudge(): void;
  /** Takes nothing more, and finishes what is in flight. */
  stop(): Promise<void>;
}

export interface DeliveryDependencies {
  readonly database: Database;
  readonly dataDirectory: string;
  readonly log: Log;
  readonly observe?: DeliveryObserver;
  readonly clock?: () => Date;
  /** Milliseconds that what is in flight has when the service stops. */
  readonly stopTimeout?: number;
  /** Finds the addresses of webhook endpoints. */
  readonly resolve?: Resolve;
}

export function createDelivery(
  { enabled, leaseSeconds, mail, webhooks }: DeliveryConfig,
  { database, dataDirectory, log, resolve, ...options }: DeliveryDependencies,
): Delivery {
  const names = webhooks.endpoints.map(({ name }) => name);
  if (!enabled) {
    return { webhooks: names, start: () => undefined, nudge: () => undefined, stop: async () => undefined };
  }
  const lease = leaseSeconds * 1_000;
  // An attempt must have ended long before somebody else may begin the next.
  const within = (timeout: number) => Math.min(timeout, lease / 2);
  const mailDirectory = join(dataDirectory, 'mails');
  const senders = {
    sendMail: createMailer(mail.smtpUrl, within(mailTimeout), mailDirectory),
    sendWebhook: createWebhookSender(webhooks, {
      timeout: within(webhookTimeout),
      ...(resolve !== undefined && { resolve }),
    }),
  };
  const prepare = createPrepare(database.db, mail, senders, options.clock);
  const worker = new OutboxWorker({ database, prepare, webhooks: names, lease, log, ...options });
  return {
    webhooks: names,
    start() {
      if (mail.smtpUrl === undefined) {
        log.warn(`no SMTP_URL is set: mail is kept as .eml files in ${mailDirectory}`);
      }
      worker.start();
    },
    nudge: () => worker.nudge(),
    stop: () => worker.stop(),
  };
}

function createMailer(url: string | undefined, timeout: number, directory: string): SendMail {
  return url === undefined ? createFileMailer(directory) : createSmtpMailer(url, timeout);
}
