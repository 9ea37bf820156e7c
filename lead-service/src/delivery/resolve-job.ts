import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { skipped, type AttemptResult, type ResolveJob } from './attempt-result.ts';
import { confirmationMail, salesMail } from './mail/lead-mails.ts';
import type { MailConfig } from './mail/mail-config.ts';
import type { SendMail } from './mail/mailer.ts';
import type { SendWebhook } from './webhooks/webhook-sender.ts';
import { addressHash, mailboxOf } from '../platform/address-hash.ts';

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

/** Treats permanent rejections as temporary, because the operator can repair the mailbox of sales during the retries. */
async function alwaysRetried(sending: Promise<AttemptResult>): Promise<AttemptResult> {
  const result = await sending;
  return result.outcome === 'dead' ? { ...result, outcome: 'failed' } : result;
}

/**
 * Claims the daily confirmation (UTC) of a mailbox for a delivery and all its attempts. Returns the reason for a refusal,
 * or undefined if the confirmation may be sent.
 */
async function confirmationRefusal(
  db: Kysely<Tables>,
  email: string,
  outboxId: string,
  now: Date,
): Promise<string | undefined> {
  const hash = addressHash(mailboxOf(email));
  const suppressed = await db
    .selectFrom('suppressedAddresses')
    .select('addressHash')
    .where('addressHash', 'in', [hash, addressHash(email)])
    .executeTakeFirst();
  if (suppressed !== undefined) return 'The address is on the suppression list.';

  const day = now.toISOString().slice(0, '2026-11-21'.length);
  await db
    .insertInto('confirmationDays')
    .values({ addressHash: hash, day, outboxId })
    .onConflict((conflict) => conflict.columns(['addressHash', 'day']).doNothing())
    .execute();
  const holder = await db
    .selectFrom('confirmationDays')
    .select('outboxId')
    .where('addressHash', '=', hash)
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
  return holder.outboxId === outboxId ? undefined : 'The address has had a confirmation today.';
}
