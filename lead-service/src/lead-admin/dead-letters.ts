import type { Kysely, Transaction } from 'kysely';
import * as z from 'zod/mini';
import { deliveryKinds, type Tables } from '../database/tables.ts';
import { recordAudit, readAudited } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import { quantity, utcTime } from './lead-view.ts';

/** A delivery without retries left, and its last error. Contains no text of the visitor. */
const deadLetter = z
  .object({
    id: z.string().check(z.describe('Id of the delivery, not of the lead.')),
    leadId: z.string(),
    kind: z.enum(deliveryKinds),
    target: z.string(),
    attempts: quantity,
    createdAt: utcTime,
    finishedAt: z.nullable(utcTime),
    lastStatus: z.nullable(z.int()),
    lastAnswer: z.nullable(z.string()),
  })
  .register(z.globalRegistry, { id: 'DeadLetter' });
type DeadLetter = z.output<typeof deadLetter>;

/** The oldest first. */
export const deadLetters = z.object({ deadLetters: z.array(deadLetter) });

interface Page {
  readonly limit?: number;
  /** Id of the last dead letter of the previous page. */
  readonly after?: string;
}

/** Lists dead letters, the oldest first. */
export function listDeadLetters(
  db: Kysely<Tables>,
  { limit = 100, after = '' }: Page = {},
): Promise<DeadLetter[]> {
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
      'outbox.createdAt',
      'outbox.finishedAt',
      'deliveryAttempts.status as lastStatus',
      'deliveryAttempts.answer as lastAnswer',
    ])
    .where('outbox.state', '=', 'dead')
    .where('outbox.id', '>', after)
    .orderBy('outbox.id')
    .limit(limit)
    .execute();
}

/**
 * Puts dead letters back in the queue, with a full set of retries. Their earlier attempts stay on record. Ids of other
 * deliveries are ignored.
 *
 * @returns the number of replayed dead letters
 */
export async function replay(db: Kysely<Tables>, ids: readonly string[] | 'all'): Promise<number> {
  if (ids.length === 0) return 0;
  const now = new Date().toISOString();
  const dead = db
    .updateTable('outbox')
    .set({
      state: 'pending',
      attempts: 0,
      nextAttemptAt: now,
      leasedUntil: null,
      createdAt: now,
      finishedAt: null,
    })
    .where('state', '=', 'dead');
  const chosen = ids === 'all' ? dead : dead.where('id', 'in', ids);
  const { numUpdatedRows } = await chosen.executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/**
 * Releases the held deliveries of a quarantined lead. Must run in the transaction that releases the lead.
 *
 * @returns the number of released deliveries
 */
export async function releaseHeld(transaction: Transaction<Tables>, leadId: string): Promise<number> {
  const now = new Date().toISOString();
  const { numUpdatedRows } = await transaction
    .updateTable('outbox')
    .set({ state: 'pending', nextAttemptAt: now, createdAt: now })
    .where('leadId', '=', leadId)
    .where('state', '=', 'held')
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/**
 * Holds the pending deliveries and dead letters of a lead. An attempt in progress ends, but cannot change its delivery any
 * more. Must run in the transaction that puts the lead into quarantine.
 *
 * @returns the number of held deliveries
 */
export async function holdUndelivered(transaction: Transaction<Tables>, leadId: string): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('outbox')
    .set({ state: 'held', leasedUntil: null, attempts: 0, finishedAt: null })
    .where('leadId', '=', leadId)
    .where('state', 'in', ['pending', 'dead'])
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Lists dead letters, with an audit entry. */
export function readDeadLetters(context: AdminContext, page: Page): Promise<DeadLetter[]> {
  return readAudited(
    context,
    (snapshot) => listDeadLetters(snapshot, page),
    (letters) => [{ action: 'delivery.list-dead', details: { count: letters.length } }],
  );
}

/** Replays dead letters, with an audit entry. Returns their number. */
export function replayDeliveries(
  { database, actor }: AdminContext,
  ids: readonly string[] | 'all',
): Promise<number> {
  return database.db.transaction().execute(async (transaction) => {
    const replayed = await replay(transaction, ids);
    await recordAudit(transaction, actor, [
      { action: 'delivery.replay', details: { all: ids === 'all', count: replayed } },
    ]);
    return replayed;
  });
}
