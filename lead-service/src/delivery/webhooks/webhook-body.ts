import { leadAttribution } from '@countersign/contracts/lead-submission';
import type { LeadRow } from '../../database/tables.ts';

/** Systems that take a body of their own in place of {@link leadCreated}. */
const formats = { slack, hubspot };
export type WebhookFormat = keyof typeof formats;

export const isWebhookFormat = (name: string): name is WebhookFormat => Object.hasOwn(formats, name);

/** Body of a webhook, as JSON. The same for every attempt of this version of the service. */
export function webhookBody(lead: LeadRow, format: WebhookFormat | undefined): string {
  return JSON.stringify((format === undefined ? leadCreated : formats[format])(lead));
}

/** `{ "type": "lead.created", "timestamp": …, "data": { … } }` */
function leadCreated(lead: LeadRow) {
  const { id, type, name, email, company, message, receivedAt, spamScore } = lead;
  return {
    type: 'lead.created',
    timestamp: receivedAt,
    data: {
      ...{ id, type, name, email, company, message, receivedAt },
      attribution: JSON.parse(lead.attribution) as unknown,
      spam: { score: spamScore, reasons: JSON.parse(lead.spamReasons) as unknown },
    },
  };
}

/** A message: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
function slack({ type, name, email, company, message }: LeadRow) {
  const text = `New ${type}: ${company === null ? name : `${name} (${company})`}, ${email}\n${message}`;
  // Slack reads links and mentions between `<` and `>`.
  return { text: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;') };
}

/** A submission of a form that has these properties of a contact: https://developers.hubspot.com/docs/methods/forms/submit_form */
function hubspot({ name, email, company, message, attribution }: LeadRow) {
  const { page } = leadAttribution.parse(JSON.parse(attribution));
  const [, firstname, lastname = name] = /^(.+) (\S+)$/.exec(name) ?? [];
  const properties = Object.entries({ email, firstname, lastname, company, message });
  return {
    // In HubSpot, `0-1` is the type of contacts.
    fields: properties.flatMap(([property, value]) =>
      value ? [{ objectTypeId: '0-1', name: property, value }] : [],
    ),
    context: { pageUri: page },
  };
}
