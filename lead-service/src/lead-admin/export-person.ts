import type { Transaction } from 'kysely';
import type {
  ConfirmationDayRow,
  DeliveryAttemptRow,
  IdempotencyRecordRow,
  ErasureRow,
  OutboxRow,
  SuppressedAddressRow,
  Tables,
} from '../database/tables.ts';
import { addressHash, mailboxOf } from '../platform/address-hash.ts';
import { type AuditEvent, readAudited } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import { viewLead, type LeadView } from './lead-view.ts';
import { leadsOf, pageOf } from './person.ts';
import { withLocalSpool } from './local-spool.ts';

interface PersonFile {
  readonly email: string;
  readonly exportedAt: string;
  readonly leads: readonly LeadView[];
  /** All deliveries of these leads. */
  readonly deliveries: readonly OutboxRow[];
  readonly attempts: readonly DeliveryAttemptRow[];
  readonly idempotencyRecords: readonly IdempotencyRecordRow[];
  readonly confirmations: readonly ConfirmationDayRow[];
  readonly suppression: SuppressedAddressRow | null;
  readonly erasure: ErasureRow | null;
  readonly spooled: readonly LeadView[];
}

/** Reads the leads in pages, with an audit entry for each lead. */
export async function exportPerson(context: AdminContext, email: string): Promise<PersonFile> {
  const exportedAt = new Date().toISOString();
  const spooled = await withLocalSpool(context.dataDirectory, [], async ({ db }) =>
    (await leadsOf(db, email).selectAll().execute()).map(viewLead),
  );
  const marks = await readMarks(context, email, spooled);
  const held = { leads: [], deliveries: [], attempts: [], idempotencyRecords: [] } as MutableLeads;
  for (;;) {
    const page = await readPage(context, email, held.leads.at(-1)?.id);
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

/** Reads the rows stored by address hash. Also writes the audit entries of the export and of the spooled leads. */
function readMarks(context: AdminContext, email: string, spooled: readonly LeadView[]) {
  const hash = addressHash(email);
  async function read(snapshot: Transaction<Tables>) {
    const confirmations = await snapshot
      .selectFrom('confirmationDays')
      .selectAll()
      .where('addressHash', 'in', [hash, addressHash(mailboxOf(email))])
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
  return readAudited(context, read, () => [
    { action: 'person.export', details: { spooled: spooled.length } },
    ...spooled.map(exportOf),
  ]);
}

function readPage(context: AdminContext, email: string, after?: string): Promise<PersonLeads> {
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
  return readAudited(context, read, ({ leads }) => leads.map(exportOf));
}

function exportOf({ id }: LeadView): AuditEvent {
  return { action: 'lead.export', leadId: id };
}
