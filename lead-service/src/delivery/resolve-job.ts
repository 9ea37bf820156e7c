import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';
import { confirmationMail } from './mail/confirmation-mail.ts';
import { confirmationRefusal } from './mail/confirmation-allowance.ts';
import type { MailConfig } from './mail/mail-config.ts';
import type { SendMail } from './mail/mailer.ts';
import { salesMail } from './mail/sales-mail.ts';
import type { Prepare, Prepared, SendResult } from './send-result.ts';
import type { SendWebhook } from './webhooks/webhook-sender.ts';

export interface Senders {
  readonly sendMail: SendMail;
  readonly sendWebhook: SendWebhook;
}

/** Makes what is sent out of the lead as it is now: what was erased is not sent, however long it waited. */
export function createPrepare(
  db: Kysely<Tables>,
  mail: MailConfig,
  { sendMail, sendWebhook }: Senders,
  clock: () => Date = () => new Date(),
): Prepare {
  return async (delivery) => {
    const { id, leadId, kind } = delivery;
    const lead = await db.selectFrom('leads').selectAll().where('id', '=', leadId).executeTakeFirst();
    if (lead === undefined || lead.erasedAt !== null) return skip('The lead was erased.');
    switch (kind) {
      case 'webhook':
        return send((signal) => sendWebhook(delivery, lead, signal));
      case 'sales-mail':
        return send((signal) => repeatedly(sendMail(salesMail(id, lead, mail), signal)));
      case 'confirmation-mail': {
        const refusal = await confirmationRefusal(db, lead.email, id, clock());
        if (refusal !== undefined) return skip(refusal);
        return send((signal) => sendMail(confirmationMail(id, lead, mail), signal));
      }
    }
  };
}

function skip(reason: string): Prepared {
  return { kind: 'skip', reason };
}

function send(action: (signal: AbortSignal) => Promise<SendResult>): Prepared {
  return { kind: 'send', send: action };
}

/** What the server refuses for good today, somebody may put right within two days: the mailbox is our own. */
async function repeatedly(sending: Promise<SendResult>): Promise<SendResult> {
  const result = await sending;
  return result.kind === 'failed' ? { ...result, permanent: false } : result;
}
