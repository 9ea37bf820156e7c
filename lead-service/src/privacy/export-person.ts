import { addressHash } from '../address-hash.ts';
import { recordAudit } from '../sales/audit.ts';
import type { Desk } from '../sales/desk.ts';
import { viewLead, type LeadView } from '../sales/lead-view.ts';
import { openSpoolBeside } from '../sales/spool-beside.ts';
import type { ConfirmationDayRow, DeliveryAttemptRow, IdempotencyRecordRow } from '../store/tables.ts';
import type { ErasureRow, OutboxRow, SuppressedAddressRow } from '../store/tables.ts';
import { leadsOf } from './person.ts';

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

export async function exportPerson(
  { database, dataDirectory, actor }: Desk,
  email: string,
): Promise<PersonFile> {
  const hash = addressHash(email);
  const held = await database.db.transaction().execute(async (transaction) => {
    const leads = await leadsOf(transaction, email).selectAll().execute();
    const ofThem = leadsOf(transaction, email).select('id').clearOrderBy();
    const deliveries = await transaction
      .selectFrom('outbox')
      .selectAll()
      .where('leadId', 'in', ofThem)
      .orderBy('id')
      .execute();
    const attempts = await transaction
      .selectFrom('deliveryAttempts')
      .selectAll()
      .where('outboxId', 'in', transaction.selectFrom('outbox').select('id').where('leadId', 'in', ofThem))
      .orderBy('id')
      .execute();
    const idempotencyRecords = await transaction
      .selectFrom('idempotencyRecords')
      .selectAll()
      .where('leadId', 'in', ofThem)
      .orderBy('createdAt')
      .execute();
    const confirmations = await transaction
      .selectFrom('confirmationDays')
      .selectAll()
      .where('addressHash', '=', hash)
      .orderBy('day')
      .execute();
    const suppression = await transaction
      .selectFrom('suppressedAddresses')
      .selectAll()
      .where('addressHash', '=', hash)
      .executeTakeFirst();
    const erasure = await transaction
      .selectFrom('erasures')
      .selectAll()
      .where('addressHash', '=', hash)
      .executeTakeFirst();
    await recordAudit(transaction, actor, [
      { action: 'person.export', details: { leads: leads.length } },
      ...leads.map(({ id }) => ({ action: 'lead.export' as const, leadId: id })),
    ]);
    return {
      leads: leads.map(viewLead),
      ...{ deliveries, attempts, idempotencyRecords, confirmations },
      suppression: suppression ?? null,
      erasure: erasure ?? null,
    };
  });
  return {
    email,
    exportedAt: new Date().toISOString(),
    ...held,
    spooled: await spooledLeads(dataDirectory, email),
  };
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
