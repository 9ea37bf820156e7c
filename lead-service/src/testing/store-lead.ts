import { type LeadToStore, insertLeads } from '../database/insert-leads.ts';
import type { DatabaseTarget } from '../database/database.ts';
import type { LeadRow } from '../database/tables.ts';
import { createLead, fingerprintOf, type SpamClassification } from '../intake/create-lead.ts';
import { type IncomingLead, rowsToStore } from '../lead-store/lead-store.ts';
import { sampleLead } from './sample-lead.ts';

/** A classification that puts a lead into quarantine. */
export const suspicious: SpamClassification = {
  score: 9,
  reasons: ['3 links in the message'],
  quarantined: true,
};

/** A lead for the store, received now. */
export function incomingLead(message: string, key: string, email = sampleLead.email): IncomingLead {
  const lead = createLead({ type: 'contact', fields: { ...sampleLead, email, message } });
  return { lead, fingerprint: fingerprintOfRow(lead), idempotencyKey: key };
}

/** A lead as the store commits it, received now. */
export function leadToStore(message: string, key: string): LeadToStore {
  return rowsToStore(incomingLead(message, key), []);
}

/** Stores a lead like the service, with deliveries and idempotency record. `differences` override its fields. */
export async function storeLead(
  database: DatabaseTarget,
  {
    classification,
    ...differences
  }: Partial<LeadRow> & { readonly classification?: SpamClassification | undefined } = {},
  webhooks: readonly string[] = ['crm'],
): Promise<LeadRow> {
  const attribution = { page: '/?utm_source=letter', utmSource: 'letter' };
  const made = createLead({
    type: 'contact',
    fields: sampleLead,
    attribution,
    ...(classification && { classification }),
  });
  const lead = { ...made, ...differences };
  const incoming = { lead, fingerprint: fingerprintOfRow(lead), idempotencyKey: lead.id };
  await insertLeads(database, [rowsToStore(incoming, webhooks)]);
  return lead;
}

function fingerprintOfRow({ type, company, ...fields }: LeadRow): string {
  return fingerprintOf(type, { ...fields, company: company ?? '' });
}
