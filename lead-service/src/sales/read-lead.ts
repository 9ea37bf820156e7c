import type { Transaction } from 'kysely';
import type { AuditEntryRow, DeliveryAttemptRow, OutboxRow, Tables } from '../store/tables.ts';
import { recordAudit } from './audit.ts';
import type { Desk } from './desk.ts';
import { viewLead, type LeadView } from './lead-view.ts';
import { unknownLead } from './sales-errors.ts';

/** Something that was or is to be sent because of a lead, with every attempt. */
export interface DeliveryView extends Omit<OutboxRow, 'leadId' | 'leasedUntil'> {
  readonly tries: readonly DeliveryAttemptRow[];
}

export interface LeadFile {
  readonly lead: LeadView;
  readonly deliveries: readonly DeliveryView[];
  /** What was done with it before, also when it was seen among others, the oldest first. */
  readonly history: readonly AuditEntryRow[];
}

/** Everything that is known of one lead. Throws the answer that there is none. */
export function readLead({ database, actor }: Desk, id: string): Promise<LeadFile> {
  return database.db.transaction().execute(async (transaction) => {
    const row = await transaction.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw unknownLead();
    const outbox = await transaction
      .selectFrom('outbox')
      .select(['id', 'kind', 'target', 'state', 'attempts', 'nextAttemptAt', 'createdAt', 'finishedAt'])
      .where('leadId', '=', id)
      .orderBy('id')
      .execute();
    const attempts = await transaction
      .selectFrom('deliveryAttempts')
      .innerJoin('outbox', 'outbox.id', 'deliveryAttempts.outboxId')
      .selectAll('deliveryAttempts')
      .where('outbox.leadId', '=', id)
      .orderBy('deliveryAttempts.number')
      .execute();
    const history = await historyOf(transaction, id);
    await recordAudit(transaction, actor, [{ action: 'lead.read', leadId: id }]);
    const triesOf = Map.groupBy(attempts, ({ outboxId }) => outboxId);
    return {
      lead: viewLead(row),
      deliveries: outbox.map((delivery) => ({
        ...delivery,
        tries: triesOf.get(delivery.id) ?? [],
      })),
      history,
    };
  });
}

async function historyOf(transaction: Transaction<Tables>, leadId: string): Promise<AuditEntryRow[]> {
  const own = await transaction.selectFrom('auditEntries').selectAll().where('leadId', '=', leadId).execute();
  // Without the details: they name all the others.
  const amongOthers = await transaction
    .selectFrom('auditedLeads')
    .innerJoin('auditEntries', 'auditEntries.id', 'auditedLeads.entryId')
    .select(['auditEntries.id', 'at', 'actor', 'action'])
    .where('auditedLeads.leadId', '=', leadId)
    .execute();
  return [...own, ...amongOthers.map((entry) => ({ ...entry, leadId, details: '{}' }))].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
}
