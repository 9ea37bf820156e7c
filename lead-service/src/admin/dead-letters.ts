import type { ExpressionBuilder } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { AdminContext } from './admin-context.ts';

const maxListed = 500;

/**
 * Lists the oldest deliveries without retries left, each with its last error, and whether there are more. The receiver's answer may
 * quote the visitor, but has no addresses.
 */
export async function listDeadLetters({ database: { db } }: AdminContext) {
  const letters = await db
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
    .limit(maxListed + 1)
    .execute();
  return { letters: letters.slice(0, maxListed), hasMore: letters.length > maxListed };
}

/** Counts the deliveries that wait for a retry. */
export async function countWaiting({ database: { db } }: AdminContext): Promise<number> {
  const waiting = db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll().as('count'))
    .where(waitsAt(new Date().toISOString()));
  return Number((await waiting.executeTakeFirstOrThrow()).count);
}

/** A condition without the deliveries that are due, which the worker sends, or is sending. */
function waitsAt(now: string) {
  return ({ and, eb }: ExpressionBuilder<Tables, 'outbox'>) =>
    and([eb('state', '=', 'pending'), eb('nextAttemptAt', '>', now)]);
}

/**
 * Makes deliveries due now, with a full set of retries: dead letters, and those that wait for a retry. Their earlier attempts stay on
 * record. Ids of other deliveries are ignored.
 *
 * @returns the number of replayed deliveries
 */
export async function replayDeliveries(
  { database: { db } }: AdminContext,
  ids: readonly string[] | 'all',
): Promise<number> {
  const now = new Date().toISOString();
  const undelivered = db
    .updateTable('outbox')
    .set({ state: 'pending', attempts: 0, nextAttemptAt: now, finishedAt: null })
    .where((outbox) => outbox.or([outbox.eb('state', '=', 'dead'), waitsAt(now)(outbox)]));
  const { numUpdatedRows } = await (
    ids === 'all' ? undelivered : undelivered.where('id', 'in', ids)
  ).executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Gives up dead letters, which then count no more. Ids of other deliveries are ignored. Returns the number of those given up. */
export async function discardDeadLetters(
  { database: { db } }: AdminContext,
  ids: readonly string[],
): Promise<number> {
  const dead = db.updateTable('outbox').set({ state: 'discarded' }).where('state', '=', 'dead');
  return Number((await dead.where('id', 'in', ids).executeTakeFirstOrThrow()).numUpdatedRows);
}
