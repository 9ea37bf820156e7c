import type { Kysely, Transaction } from 'kysely';
import type { DeliveryKind, Tables } from '../store/tables.ts';

/** A delivery that was given up, and why. Quotes nothing that a visitor typed. */
export interface DeadLetter {
  /** Names the delivery, not the lead. */
  readonly id: string;
  readonly leadId: string;
  readonly kind: DeliveryKind;
  /** Name of the webhook endpoint; empty for mail. */
  readonly target: string;
  readonly attempts: number;
  /** Since when it was to be sent: at first, or again. */
  readonly createdAt: string;
  /** When it was given up. */
  readonly finishedAt: string | null;
  /** HTTP or SMTP status of the last attempt, if the other side gave one. */
  readonly lastStatus: number | null;
  /** What was said at the last attempt, cut off. */
  readonly lastAnswer: string | null;
}

interface Page {
  readonly limit?: number;
  /** Goes on behind the dead letter with this id. */
  readonly after?: string;
}

/** What was given up, oldest first. */
export function listDeadLetters(
  db: Kysely<Tables>,
  { limit = 100, after = '' }: Page = {},
): Promise<DeadLetter[]> {
  return db
    .selectFrom('outbox')
    .leftJoin('deliveryAttempts', (join) =>
      join.on('deliveryAttempts.id', '=', (last) =>
        last
          .selectFrom('deliveryAttempts as later')
          .select('later.id')
          .whereRef('later.outboxId', '=', 'outbox.id')
          .orderBy('later.number', 'desc')
          .orderBy('later.id', 'desc')
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
 * Puts what was given up back in the queue, with a full set of attempts; those made so far stay on record. Other
 * deliveries are left alone, whether their ids are given or not.
 *
 * @returns how many were put back
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
 * Lets go what was held back because its lead was in quarantine. Belongs into the transaction that takes the lead out.
 *
 * @returns how many deliveries will be sent
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
