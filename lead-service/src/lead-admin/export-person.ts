import type { Transaction } from 'kysely';
import * as z from 'zod/mini';
import type { Tables } from '../database/tables.ts';
import { addressHash } from '../platform/address-hash.ts';
import { type AuditEvent, readAudited } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import { leadView, utcTime, viewLead, type LeadView } from './lead-view.ts';
import { leadsOf, pageOf } from './person.ts';
import { delivery, deliveryAttempt } from './read-lead.ts';
import { withLocalSpool } from './local-spool.ts';

/** All data of a person, in the database and in the spool of this machine. */
export const personFile = z
  .object({
    email: z.string(),
    exportedAt: utcTime,
    leads: z.array(leadView),
    deliveries: z.array(
      z.extend(delivery, {
        leadId: z.string(),
        leasedUntil: z.nullable(utcTime),
      }),
    ),
    attempts: z.array(deliveryAttempt),
    idempotencyRecords: z.array(
      z.object({
        key: z.string(),
        fingerprint: z.string(),
        leadId: z.string(),
        answerStatus: z.int(),
        createdAt: utcTime,
        expiresAt: utcTime,
      }),
    ),
    erasure: z.nullable(z.object({ addressHash: z.string(), erasedAt: utcTime })),
    spooled: z.array(leadView),
  })
  .register(z.globalRegistry, { id: 'PersonFile' });
type PersonFile = z.output<typeof personFile>;

/** Reads all data of a person, the leads in pages, with an audit entry for each lead. */
export async function exportPerson(context: AdminContext, email: string): Promise<PersonFile> {
  const exportedAt = new Date().toISOString();
  const spooled = await withLocalSpool(context.dataDirectory, [], async ({ db }) =>
    (await leadsOf(db, email).selectAll().execute()).map(viewLead),
  );
  const rowsOfAddress = await readRowsOfAddress(context, email, spooled);
  const stored: PersonLeads = { leads: [], deliveries: [], attempts: [], idempotencyRecords: [] };
  for (;;) {
    const page = await readPage(context, email, stored.leads.at(-1)?.id);
    if (page.leads.length === 0) break;
    stored.leads.push(...page.leads);
    stored.deliveries.push(...page.deliveries);
    stored.attempts.push(...page.attempts);
    stored.idempotencyRecords.push(...page.idempotencyRecords);
  }
  return { email, exportedAt, ...stored, ...rowsOfAddress, spooled };
}

type PersonLeads = Pick<PersonFile, 'leads' | 'deliveries' | 'attempts' | 'idempotencyRecords'>;

/** Reads the rows stored by address hash. Also writes the audit entries of the export and of the spooled leads. */
function readRowsOfAddress(context: AdminContext, email: string, spooled: readonly LeadView[]) {
  const hash = addressHash(email);
  async function read(snapshot: Transaction<Tables>) {
    const erasure = await snapshot
      .selectFrom('erasures')
      .selectAll()
      .where('addressHash', '=', hash)
      .executeTakeFirst();
    return { erasure: erasure ?? null };
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
