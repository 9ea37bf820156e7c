import type { Transaction } from 'kysely';
import type { AuditEntryRow, DeliveryAttemptRow, OutboxRow, Tables } from '../database/tables.ts';
import { unknownLead } from '../http/errors.ts';
import type { AdminContext } from './admin-context.ts';
import { viewLead, type LeadView } from './lead-view.ts';
import { readAudited } from './audit.ts';

export interface DeliveryView extends Omit<OutboxRow, 'leadId' | 'leasedUntil' | 'withheld'> {
  readonly tries: readonly DeliveryAttemptRow[];
}

export interface LeadFile {
  readonly lead: LeadView;
  readonly deliveries: readonly DeliveryView[];
  /** Audit entries of the lead, including those about several leads, the oldest first. */
  readonly history: readonly AuditEntryRow[];
}

/** Reads all data of one lead. Throws a 404 error. */
export function readLead(context: AdminContext, id: string): Promise<LeadFile> {
  return readAudited(
    context,
    (snapshot) => leadFile(snapshot, id),
    () => [{ action: 'lead.read', leadId: id }],
  );
}

async function leadFile(snapshot: Transaction<Tables>, id: string): Promise<LeadFile> {
  const row = await snapshot.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw unknownLead();
  const outbox = await snapshot
    .selectFrom('outbox')
    .select(['id', 'kind', 'target', 'state', 'attempts', 'nextAttemptAt', 'createdAt', 'finishedAt'])
    .where('leadId', '=', id)
    .orderBy('id')
    .execute();
  const attempts = await snapshot
    .selectFrom('deliveryAttempts')
    .innerJoin('outbox', 'outbox.id', 'deliveryAttempts.outboxId')
    .selectAll('deliveryAttempts')
    .where('outbox.leadId', '=', id)
    .orderBy('deliveryAttempts.number')
    .execute();
  const history = await historyOf(snapshot, id);
  const triesOf = Map.groupBy(attempts, ({ outboxId }) => outboxId);
  return {
    lead: viewLead(row),
    deliveries: outbox.map((delivery) => ({
      ...delivery,
      tries: triesOf.get(delivery.id) ?? [],
    })),
    history,
  };
}

async function historyOf(snapshot: Transaction<Tables>, leadId: string): Promise<AuditEntryRow[]> {
  const own = await snapshot.selectFrom('auditEntries').selectAll().where('leadId', '=', leadId).execute();
  // Without details, because they name the other leads.
  const amongOthers = await snapshot
    .selectFrom('auditedLeads')
    .innerJoin('auditEntries', 'auditEntries.id', 'auditedLeads.entryId')
    .select(['auditEntries.id', 'at', 'actor', 'action'])
    .where('auditedLeads.leadId', '=', leadId)
    .execute();
  return [...own, ...amongOthers.map((entry) => ({ ...entry, leadId, details: '{}' }))].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
}
