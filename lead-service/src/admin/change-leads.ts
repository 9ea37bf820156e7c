import type { Transaction } from 'kysely';
import type { OutboxRow, Tables } from '../database/tables.ts';
import { Refusal, unknownLead } from '../platform/refusal.ts';
import type { AdminContext } from './admin-context.ts';

/**
 * Puts a lead into quarantine, with the deliveries that are not made yet. A lead in quarantine stays as it is. An attempt in
 * progress ends, but cannot change its delivery any more, because it has lost its lease.
 *
 * @returns the number of held deliveries
 */
export function holdLead({ database: { db } }: AdminContext, id: string): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    await requireLead(transaction, id);
    await transaction
      .updateTable('leads')
      .set({ quarantinedAt: new Date().toISOString() })
      .where('id', '=', id)
      .where('quarantinedAt', 'is', null)
      .execute();
    const held = { state: 'held', leasedUntil: null, attempts: 0, finishedAt: null } as const;
    return changeDeliveries(transaction, id, ['pending', 'dead'], held);
  });
}

/**
 * Releases a lead from quarantine, with its held deliveries.
 *
 * @returns the number of released deliveries
 */
export function releaseLead({ database: { db } }: AdminContext, id: string): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    // The update comes first, so that the second of two concurrent releases finds the lead released.
    const { numUpdatedRows } = await transaction
      .updateTable('leads')
      .set({ quarantinedAt: null })
      .where('id', '=', id)
      .where('quarantinedAt', 'is not', null)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) {
      await requireLead(transaction, id);
      throw new Refusal('not-quarantined', 'This lead is not in quarantine, so there is nothing to release.');
    }
    const nextAttemptAt = new Date().toISOString();
    return changeDeliveries(transaction, id, ['held'], { state: 'pending', nextAttemptAt });
  });
}

async function changeDeliveries(
  transaction: Transaction<Tables>,
  leadId: string,
  states: readonly OutboxRow['state'][],
  changes: Partial<OutboxRow>,
): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('outbox')
    .set(changes)
    .where('leadId', '=', leadId)
    .where('state', 'in', states)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Throws a {@link Refusal} if there is no lead with this id. */
async function requireLead(transaction: Transaction<Tables>, id: string): Promise<void> {
  const lead = await transaction.selectFrom('leads').select('id').where('id', '=', id).executeTakeFirst();
  if (lead === undefined) throw unknownLead();
}
