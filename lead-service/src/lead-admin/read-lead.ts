import type { Transaction } from 'kysely';
import type { AuditEntryRow, DeliveryAttemptRow, OutboxRow, Tables } from '../store/tables.ts';
import type { Desk } from './desk.ts';
import { viewLead, type LeadView } from './lead-view.ts';
import { readAudited } from './read-audited.ts';
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
export function readLead(desk: Desk, id: string): Promise<LeadFile> {
  return readAudited(
    desk,
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
  // Without the details: they name all the others.
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
