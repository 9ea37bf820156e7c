import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { skipped, type ResolveJob } from './attempt-result.ts';
import { salesMail, type MailConfig } from './mail/lead-mails.ts';
import type { SendMail } from './mail/mailer.ts';
import type { SendWebhook } from './webhooks/webhook-sender.ts';

interface Senders {
  readonly sendMail: SendMail;
  readonly sendWebhook: SendWebhook;
}

/** Builds each mail and webhook from the current row of the lead, so that an erased lead is never sent. */
export function createResolveJob(
  db: Kysely<Tables>,
  mail: MailConfig,
  { sendMail, sendWebhook }: Senders,
): ResolveJob {
  return async (delivery) => {
    const { id, leadId, kind } = delivery;
    const lead = await db.selectFrom('leads').selectAll().where('id', '=', leadId).executeTakeFirst();
    if (lead === undefined) return async () => skipped('The lead was erased.');
    switch (kind) {
      case 'webhook':
        return (signal) => sendWebhook(delivery, lead, signal);
      case 'sales-mail':
        return (signal) => sendMail(salesMail(id, lead, mail), signal);
    }
  };
}
