import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { skipped, type AttemptResult, type ResolveJob } from './attempt-result.ts';
import { confirmationRefusal } from './mail/confirmation-allowance.ts';
import { confirmationMail } from './mail/confirmation-mail.ts';
import type { MailConfig } from './mail/mail-config.ts';
import type { SendMail } from './mail/mailer.ts';
import { salesMail } from './mail/sales-mail.ts';
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
  clock: () => Date,
): ResolveJob {
  return async (delivery) => {
    const { id, leadId, kind, withheld } = delivery;
    const lead = await db.selectFrom('leads').selectAll().where('id', '=', leadId).executeTakeFirst();
    if (lead === undefined || lead.erasedAt !== null) return async () => skipped('The lead was erased.');
    if (withheld !== null) return async () => skipped(withheld);
    switch (kind) {
      case 'webhook':
        return (signal) => sendWebhook(delivery, lead, signal);
      case 'sales-mail':
        return (signal) => alwaysRetried(sendMail(salesMail(id, lead, mail), signal));
      case 'confirmation-mail': {
        const refusal = await confirmationRefusal(db, lead.email, id, clock());
        if (refusal !== undefined) return async () => skipped(refusal);
        return (signal) => sendMail(confirmationMail(id, lead, mail), signal);
      }
    }
  };
}

/** Treats permanent rejections as temporary, because the operator can repair the own mailbox within two days. */
async function alwaysRetried(sending: Promise<AttemptResult>): Promise<AttemptResult> {
  const result = await sending;
  return result.outcome === 'dead' ? { ...result, outcome: 'failed' } : result;
}
