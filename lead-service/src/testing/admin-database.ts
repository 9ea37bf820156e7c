import { planDeliveries } from '../delivery/plan-deliveries.ts';
import { createLead, type SpamVerdict } from '../lead.ts';
import { acceptLeads } from '../store/accept-leads.ts';
import { openDatabase, type Database } from '../store/database.ts';
import { idempotencyRecord } from '../store/idempotency-record.ts';
import type { LeadRow } from '../store/tables.ts';
import { createMemoryLog } from './memory-log.ts';
import { sampleLead } from './sample-lead.ts';
import type { TestDatabase } from './test-databases.ts';

/** The same tables that the service sees, through a connection of the test's own. */
export interface OpenedDatabase extends Database, AsyncDisposable {}

export async function openTestDatabase({ location }: TestDatabase): Promise<OpenedDatabase> {
  const database = await openDatabase(location, createMemoryLog());
  return { ...database, [Symbol.asyncDispose]: database.close };
}

/** A verdict that holds a lead back. */
export const suspicious: SpamVerdict = { score: 9, reasons: ['3 links in the message'], quarantined: true };

/** Stores a lead as the service does, with its deliveries and its idempotency record. Differences win. */
export async function storeLead(
  database: Pick<Database, 'db' | 'access'>,
  { verdict, ...differences }: Partial<LeadRow> & { readonly verdict?: SpamVerdict } = {},
): Promise<LeadRow> {
  const attribution = { page: '/?utm_source=letter', utmSource: 'letter' };
  const made = createLead({ type: 'contact', fields: sampleLead, attribution, ...(verdict && { verdict }) });
  const lead = { ...made, ...differences };
  await acceptLeads(database, [
    {
      lead,
      idempotency: idempotencyRecord(
        lead.type,
        { ...sampleLead, ...lead, company: lead.company ?? '' },
        lead.receivedAt,
        lead.id,
      ),
      outbox: planDeliveries(lead, ['crm']),
    },
  ]);
  return lead;
}
