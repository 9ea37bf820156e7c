import type { LeadRow } from '../../store/tables.ts';

/** Body of a webhook: `{ "type": "lead.created", "timestamp": …, "data": { … } }`, the same for every attempt. */
export function webhookBody(lead: LeadRow): string {
  const { id, type, name, email, company, message, receivedAt, spamScore } = lead;
  return JSON.stringify({
    type: 'lead.created',
    timestamp: receivedAt,
    data: {
      id,
      type,
      name,
      email,
      company,
      message,
      receivedAt,
      attribution: JSON.parse(lead.attribution),
      spam: { score: spamScore, reasons: JSON.parse(lead.spamReasons) },
    },
  });
}
