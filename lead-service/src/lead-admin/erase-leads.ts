import type { Kysely, Transaction } from 'kysely';
import type { DatabaseAccess } from '../database/database-access.ts';
import type { Tables } from '../database/tables.ts';

export interface ErasedLeads {
  readonly leads: number;
  /** Ids of all their deliveries, which name the mail files. */
  readonly outboxIds: readonly string[];
}

/**
 * Erases user text and attribution of leads. The rows remain with type, times, status and release, so that statistics
 * stay correct. Cancels pending deliveries. Erases the answers of receivers, because they may quote an address.
 */
export async function eraseWithin(
  transaction: Transaction<Tables>,
  leadIds: readonly string[],
  now: string,
  { skipsLocked: hasRowLocks }: Pick<DatabaseAccess, 'skipsLocked'>,
): Promise<ErasedLeads> {
  if (leadIds.length === 0) return { leads: 0, outboxIds: [] };
  const { numUpdatedRows } = await transaction
    .updateTable('leads')
    .set({
      name: '',
      email: '',
      company: null,
      message: '',
      searchText: '',
      attribution: '{}',
      spamReasons: '[]',
      erasedAt: now,
    })
    .where('id', 'in', leadIds)
    .where('erasedAt', 'is', null)
    .executeTakeFirstOrThrow();
  // Locked in the order in which accepted leads claim them, to prevent deadlocks.
  const records = await transaction
    .selectFrom('idempotencyRecords')
    .select('key')
    .where('leadId', 'in', leadIds)
    .orderBy('key')
    .$if(hasRowLocks, (query) => query.forUpdate())
    .execute();
  if (records.length > 0) {
    const keys = records.map(({ key }) => key);
    await transaction.deleteFrom('idempotencyRecords').where('key', 'in', keys).execute();
  }
  await transaction
    .updateTable('outbox')
    .set({ state: 'skipped', finishedAt: now, leasedUntil: null })
    .where('leadId', 'in', leadIds)
    .where('state', 'in', ['held', 'pending', 'dead'])
    .execute();
  await eraseAnswers(transaction, leadIds);
  const ids = await deliveriesOf(transaction, leadIds).execute();
  return { leads: Number(numUpdatedRows), outboxIds: ids.map(({ id }) => id) };
}

/** Erases the answers of receivers to the deliveries of leads. */
export async function eraseAnswers(db: Kysely<Tables>, leadIds: readonly string[]): Promise<void> {
  await db
    .updateTable('deliveryAttempts')
    .set({ answer: '' })
    .where('outboxId', 'in', deliveriesOf(db, leadIds))
    .where('answer', '!=', '')
    .execute();
}

function deliveriesOf(db: Kysely<Tables>, leadIds: readonly string[]) {
  return db.selectFrom('outbox').select('id').where('leadId', 'in', leadIds);
}
