import type { Transaction } from 'kysely';
import * as z from 'zod/mini';
import { deliveryKinds, deliveryStates, type AuditEntryRow, type Tables } from '../database/tables.ts';
import { unknownLead } from '../http/errors.ts';
import type { AdminContext } from './admin-context.ts';
import { readAudited } from './audit.ts';
import { leadView, quantity, utcTime, viewLead } from './lead-view.ts';

export const deliveryAttempt = z
  .object({
    id: z.string(),
    outboxId: z.string(),
    number: quantity,
    startedAt: utcTime,
    latencyMs: z.number(),
    outcome: z.enum(['delivered', 'failed', 'skipped']),
    status: z.nullable(z.int()),
    answer: z.string(),
  })
  .register(z.globalRegistry, { id: 'DeliveryAttempt' });

export const delivery = z.object({
  id: z.string(),
  kind: z.enum(deliveryKinds),
  target: z.string(),
  state: z.enum(deliveryStates),
  attempts: quantity,
  nextAttemptAt: utcTime,
  createdAt: utcTime,
  finishedAt: z.nullable(utcTime),
});

/** The history has all audit entries of the lead, including those about several leads, the oldest first. */
export const leadFile = z
  .object({
    lead: leadView,
    deliveries: z.array(z.extend(delivery, { tries: z.array(deliveryAttempt) })),
    history: z.array(
      z.object({
        id: z.string(),
        at: utcTime,
        actor: z.string(),
        action: z.string(),
        leadId: z.nullable(z.string()),
        details: z.string().check(z.describe('JSON object.')),
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'LeadFile' });
export type LeadFile = Readonly<z.output<typeof leadFile>>;
export type DeliveryView = LeadFile['deliveries'][number];

/** Reads all data of one lead. Throws a 404 error. */
export function readLead(context: AdminContext, id: string): Promise<LeadFile> {
  return readAudited(
    context,
    (snapshot) => readFile(snapshot, id),
    () => [{ action: 'lead.read', leadId: id }],
  );
}

async function readFile(snapshot: Transaction<Tables>, id: string): Promise<LeadFile> {
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
