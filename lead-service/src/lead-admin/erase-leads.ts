import type { Transaction } from 'kysely';
import type { DatabaseAccess } from '../store/database-access.ts';
import type { Tables } from '../store/tables.ts';

/** What was erased. */
export interface ErasedLeads {
  readonly leads: number;
  /** Ids of everything that was or was to be sent because of them: files of mails are named after it. */
  readonly outboxIds: readonly string[];
}

/**
 * Takes what a person typed, and where they came from, out of leads. The rows stay with type, times, status and release,
 * so that counts stay. What was still to be sent is not sent; what other servers answered may quote an address and goes.
 */
export async function eraseWithin(
  transaction: Transaction<Tables>,
  leadIds: readonly string[],
  now: string,
  { skipsLocked: locksRows }: Pick<DatabaseAccess, 'skipsLocked'>,
): Promise<ErasedLeads> {
  if (leadIds.length === 0) return { leads: 0, outboxIds: [] };
  const { numUpdatedRows } = await transaction
    .updateTable('leads')
    .set({
      name: '',
      email: '',
      company: null,
      message: '',
      attribution: '{}',
      spamReasons: '[]',
      erasedAt: now,
    })
    .where('id', 'in', leadIds)
    .where('erasedAt', 'is', null)
    .executeTakeFirstOrThrow();
  // In the order in which arriving leads claim them: otherwise each could wait for the other.
  const records = await transaction
    .selectFrom('idempotencyRecords')
    .select('key')
    .where('leadId', 'in', leadIds)
    .orderBy('key')
    .$if(locksRows, (query) => query.forUpdate())
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
  const outbox = transaction.selectFrom('outbox').select('id').where('leadId', 'in', leadIds);
  await transaction
    .updateTable('deliveryAttempts')
    .set({ answer: '' })
    .where('outboxId', 'in', outbox)
    .execute();
  const ids = await outbox.execute();
  return { leads: Number(numUpdatedRows), outboxIds: ids.map(({ id }) => id) };
}
