import { acceptLeads } from '../database/accept-leads.ts';
import { openDatabase, type Database } from '../database/database.ts';
import { idempotencyRecord } from '../database/idempotency-record.ts';
import type { LeadRow } from '../database/tables.ts';
import { planDeliveries } from '../delivery/plan-deliveries.ts';
import { fingerprintOf } from '../lead/fingerprint.ts';
import { createLead, type SpamClassification } from '../lead/lead.ts';
import { createMemoryLog } from './memory-log.ts';
import { sampleLead } from './sample-lead.ts';
import type { TestDatabase } from './test-databases.ts';

/** The database of the service, through a separate connection. */
export interface OpenedDatabase extends Database, AsyncDisposable {}

export async function openTestDatabase({ location }: TestDatabase): Promise<OpenedDatabase> {
  const database = await openDatabase(location, createMemoryLog());
  return { ...database, [Symbol.asyncDispose]: database.close };
}

/** A classification that puts a lead into quarantine. */
export const suspicious: SpamClassification = {
  score: 9,
  reasons: ['3 links in the message'],
  quarantined: true,
};

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
  await acceptLeads(database, [
    {
      lead,
      idempotency: idempotencyRecord(
        fingerprintOf(lead.type, { ...lead, company: lead.company ?? '' }),
        lead.receivedAt,
        lead.id,
      ),
      outbox: planDeliveries(lead, ['crm']),
    },
  ]);
  return lead;
}
