import type { LeadType } from '@countersign/contracts/lead';
import { viewLead } from '../../database/lead-view.ts';
import type { LeadRow } from '../../database/tables.ts';
import { describeAttribution } from '../../database/describe-attribution.ts';
import type { DeliveryConfig } from '../delivery-settings.ts';

const announcements: Readonly<Record<LeadType, string>> = {
  trial: 'New trial request',
  demo: 'New demo request',
  contact: 'New message',
};

const maxSubjectLength = 150;

export type Mail = ReturnType<typeof salesMail>;

/**
 * The mail to sales about a lead, whose headers contain user text only in sanitised form. A reply goes to the sender of the lead.
 *
 * @param id of the delivery
 */
export function salesMail(id: string, lead: LeadRow, { from, salesAddresses }: DeliveryConfig['mail']) {
  const name = onOneLine(lead.name);
  const company = onOneLine(lead.company ?? '');
  const sender = company === '' ? name : `${name} (${company})`;
  return {
    id,
    from,
    to: salesAddresses[lead.type],
    // As separate fields, so that nodemailer does not parse user text as an address list.
    replyTo: { name, address: lead.email },
    // The same for every attempt from this domain, so that a mailbox can detect duplicates.
    messageId: `<${id}@${domainOf(from)}>`,
    subject: `${announcements[lead.type]}: ${sender}`.slice(0, maxSubjectLength).toWellFormed(),
    text: salesText(lead),
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

function salesText(lead: LeadRow): string {
  const { attribution, spamReasons } = viewLead(lead);
  return [
    `${announcements[lead.type]}.`,
    facts({
      Name: lead.name,
      'E-mail': lead.email,
      Company: lead.company ?? undefined,
      Received: lead.receivedAt,
      Lead: lead.id,
    }),
    quoted(lead.message),
    facts({
      ...Object.fromEntries(describeAttribution(attribution)),
      'Spam score': String(lead.spamScore),
      'Spam reasons': spamReasons.length > 0 ? spamReasons.join('; ') : undefined,
    }),
    '',
  ].join('\n\n');
}

/** One line for each fact with a value. */
function facts(entries: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(entries)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${onOneLine(value)}`]))
    .join('\n');
}

/** Bidirectional controls and invisible characters, which names do not need. */
const deceptive = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** User text on one line, without characters that control a terminal or a mail header. */
function onOneLine(typed: string): string {
  return typed
    .replaceAll(deceptive, '')
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

/** User text with each line marked as a quote, so that it cannot imitate a line of the mail. */
function quoted(typed: string): string {
  return typed
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => `> ${onOneLine(line)}`.trimEnd())
    .join('\n');
}

/** The domain of a sender, `name <address>` or an address alone. */
export function domainOf(sender: string): string {
  return /@([^@>]+)>?$/.exec(sender)?.[1] ?? 'localhost';
}
