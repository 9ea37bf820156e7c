import { type AcceptedLead, acceptLeads, idempotencyRecord } from '../database/accept-leads.ts';
import type { Database } from '../database/database.ts';
import type { LeadRow } from '../database/tables.ts';
import { planDeliveries } from '../delivery/outbox-queue.ts';
import { createLead, fingerprintOf, type SpamClassification } from '../lead-store/lead.ts';
import { sampleLead } from './sample-lead.ts';

/** A classification that puts a lead into quarantine. */
export const suspicious: SpamClassification = {
  score: 9,
  reasons: ['3 links in the message'],
  quarantined: true,
};

/** A lead for the store, received now. */
export function acceptedLead(message: string, key: string, email = sampleLead.email): AcceptedLead {
  const fields = { ...sampleLead, email, message };
  return accepted(createLead({ type: 'contact', fields }), key, []);
}

/** Stores a lead like the service, with deliveries and idempotency record. `differences` override its fields. */
export async function storeLead(
  database: Pick<Database, 'db' | 'access'>,
  {
    classification,
    ...differences
  }: Partial<LeadRow> & { readonly classification?: SpamClassification } = {},
): Promise<LeadRow> {
  const attribution = { page: '/?utm_source=letter', utmSource: 'letter' };
  const made = createLead({
    type: 'contact',
    fields: sampleLead,
    attribution,
    ...(classification && { classification }),
  });
  const lead = { ...made, ...differences };
  await acceptLeads(database, [accepted(lead, lead.id, ['crm'])]);
  return lead;
}

/** A lead as the intake passes it to the store. */
export function accepted(lead: LeadRow, key: string, webhooks: readonly string[]): AcceptedLead {
  const fingerprint = fingerprintOf(lead.type, { ...lead, company: lead.company ?? '' });
  return {
    lead,
    idempotency: idempotencyRecord(fingerprint, lead.receivedAt, key),
    outbox: planDeliveries(lead, webhooks),
  };
}
