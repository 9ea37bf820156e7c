import type { Transaction } from 'kysely';
import { addressHash } from '../address-hash.ts';
import type { AuditEvent } from '../sales/audit.ts';
import type { Desk } from '../sales/desk.ts';
import { viewLead, type LeadView } from '../sales/lead-view.ts';
import { readAudited } from '../sales/read-audited.ts';
import { openSpoolBeside } from '../sales/spool-beside.ts';
import type { ConfirmationDayRow, DeliveryAttemptRow, IdempotencyRecordRow } from '../store/tables.ts';
import type { ErasureRow, OutboxRow, SuppressedAddressRow, Tables } from '../store/tables.ts';
import { leadsOf, pageOf } from './person.ts';

/** Everything that is held of one person. */
export interface PersonFile {
  readonly email: string;
  readonly exportedAt: string;
  readonly leads: readonly LeadView[];
  /** What was or is to be sent because of them. */
  readonly deliveries: readonly OutboxRow[];
  readonly attempts: readonly DeliveryAttemptRow[];
  readonly idempotencyRecords: readonly IdempotencyRecordRow[];
  readonly confirmations: readonly ConfirmationDayRow[];
  readonly suppression: SuppressedAddressRow | null;
  readonly erasure: ErasureRow | null;
  /** Leads on this machine that wait for the shared database. */
  readonly spooled: readonly LeadView[];
}

/** Reads a page of leads at a time, each with its entry in the audit log. */
export async function exportPerson(desk: Desk, email: string): Promise<PersonFile> {
  const exportedAt = new Date().toISOString();
  const spooled = await spooledLeads(desk.dataDirectory, email);
  const marks = await readMarks(desk, email, spooled);
  const held = { leads: [], deliveries: [], attempts: [], idempotencyRecords: [] } as MutableLeads;
  for (;;) {
    const page = await readPage(desk, email, held.leads.at(-1)?.id);
    if (page.leads.length === 0) break;
    held.leads.push(...page.leads);
    held.deliveries.push(...page.deliveries);
    held.attempts.push(...page.attempts);
    held.idempotencyRecords.push(...page.idempotencyRecords);
  }
  return { email, exportedAt, ...held, ...marks, spooled };
}

type PersonLeads = Pick<PersonFile, 'leads' | 'deliveries' | 'attempts' | 'idempotencyRecords'>;
type MutableLeads = { [Part in keyof PersonLeads]: PersonLeads[Part][number][] };

/** What is held by address alone. The export is in the audit log from then on, with the leads of the spool. */
function readMarks(desk: Desk, email: string, spooled: readonly LeadView[]) {
  const hash = addressHash(email);
  async function read(snapshot: Transaction<Tables>) {
    const confirmations = await snapshot
      .selectFrom('confirmationDays')
      .selectAll()
      .where('addressHash', '=', hash)
      .orderBy('day')
      .execute();
    const suppression = await snapshot
      .selectFrom('suppressedAddresses')
      .selectAll()
      .where('addressHash', '=', hash)
      .executeTakeFirst();
    const erasure = await snapshot
      .selectFrom('erasures')
      .selectAll()
      .where('addressHash', '=', hash)
      .executeTakeFirst();
    return { confirmations, suppression: suppression ?? null, erasure: erasure ?? null };
  }
  return readAudited(desk, read, () => [
    { action: 'person.export', details: { spooled: spooled.length } },
    ...spooled.map(exportOf),
  ]);
}

function readPage(desk: Desk, email: string, after?: string): Promise<PersonLeads> {
  async function read(snapshot: Transaction<Tables>): Promise<PersonLeads> {
    const leads = (await pageOf(snapshot, email, after)).map(viewLead);
    const ids = leads.map(({ id }) => id);
    if (ids.length === 0) return { leads, deliveries: [], attempts: [], idempotencyRecords: [] };
    const outbox = snapshot.selectFrom('outbox').where('leadId', 'in', ids);
    const deliveries = await outbox.selectAll().orderBy('id').execute();
    const attempts = await snapshot
      .selectFrom('deliveryAttempts')
      .selectAll()
      .where('outboxId', 'in', outbox.select('id'))
      .orderBy('id')
      .execute();
    const idempotencyRecords = await snapshot
      .selectFrom('idempotencyRecords')
      .selectAll()
      .where('leadId', 'in', ids)
      .orderBy('createdAt')
      .execute();
    return { leads, deliveries, attempts, idempotencyRecords };
  }
  return readAudited(desk, read, ({ leads }) => leads.map(exportOf));
}

function exportOf({ id }: LeadView): AuditEvent {
  return { action: 'lead.export', leadId: id };
}

async function spooledLeads(dataDirectory: string, email: string): Promise<LeadView[]> {
  const spool = openSpoolBeside(dataDirectory);
  if (spool === undefined) return [];
  try {
    return (await leadsOf(spool.db, email).selectAll().execute()).map(viewLead);
  } finally {
    await spool.close();
  }
}
