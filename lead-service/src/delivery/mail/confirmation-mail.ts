import { brand } from '@countersign/contracts/brand';
import type { LeadType } from '@countersign/contracts/lead';
import type { LeadRow } from '../../database/tables.ts';
import type { MailConfig } from './mail-config.ts';
import type { Mail } from './mailer.ts';
import { messageId } from './message-id.ts';

const received: Readonly<Record<LeadType, string>> = {
  trial: 'we have received your request for a free trial',
  demo: 'we have received your request for a demo',
  contact: 'we have received your message',
};

/**
 * Confirms a lead to its sender. The mail quotes no user text, not even the name, because a form accepts the address of
 * any stranger and could otherwise be used to send spam.
 */
export function confirmationMail(
  id: string,
  { type, email }: Pick<LeadRow, 'type' | 'email'>,
  { from }: MailConfig,
): Mail {
  return {
    id,
    from,
    to: { name: '', address: email },
    messageId: messageId(id, from),
    subject: `${brand} has received your ${type === 'contact' ? 'message' : 'request'}`,
    text: [
      'Hello,',
      `${received[type]}. Thank you. A person will get back to you shortly.`,
      'This address was given in a form on our site. If it was not you who did that, you need not do anything.',
      `${brand}\n`,
    ].join('\n\n'),
    // Prevents automatic replies, and so mail loops.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', Precedence: 'bulk' },
  };
}
