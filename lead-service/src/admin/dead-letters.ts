import type { OutboxRow } from '../database/tables.ts';
import type { AdminContext } from './admin-context.ts';

/** A delivery without retries left, and its last error. Contains no text of the visitor. */
interface DeadLetter extends Pick<
  OutboxRow,
  'id' | 'leadId' | 'kind' | 'target' | 'attempts' | 'finishedAt'
> {
  readonly lastStatus: number | null;
  readonly lastAnswer: string | null;
}

const maxListed = 500;

/** Lists the oldest dead letters. */
export function listDeadLetters({ database: { db } }: AdminContext): Promise<DeadLetter[]> {
  return db
    .selectFrom('outbox')
    .leftJoin('deliveryAttempts', (join) =>
      join.on('deliveryAttempts.id', '=', ({ selectFrom }) =>
        selectFrom('deliveryAttempts as last')
          .select('last.id')
          .whereRef('last.outboxId', '=', 'outbox.id')
          .orderBy('last.number', 'desc')
          .orderBy('last.id', 'desc')
          .limit(1),
      ),
    )
    .select([
      'outbox.id',
      'outbox.leadId',
      'outbox.kind',
      'outbox.target',
      'outbox.attempts',
      'outbox.finishedAt',
      'deliveryAttempts.status as lastStatus',
      'deliveryAttempts.answer as lastAnswer',
    ])
    .where('outbox.state', '=', 'dead')
    .orderBy('outbox.id')
    .limit(maxListed)
    .execute();
}

/**
 * Puts dead letters back in the queue, with a full set of retries. Their earlier attempts stay on record. Ids of other
 * deliveries are ignored.
 *
 * @returns the number of replayed dead letters
 */
export async function replayDeadLetters(
  { database: { db } }: AdminContext,
  ids: readonly string[] | 'all',
): Promise<number> {
  if (ids.length === 0) return 0;
  const now = new Date().toISOString();
  const dead = db
    .updateTable('outbox')
    .set({
      ...{ state: 'pending', attempts: 0, leasedUntil: null, finishedAt: null },
      // Also `createdAt`, from which a delivery counts as late.
      ...{ nextAttemptAt: now, createdAt: now },
    })
    .where('state', '=', 'dead');
  const { numUpdatedRows } = await (
    ids === 'all' ? dead : dead.where('id', 'in', ids)
  ).executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
