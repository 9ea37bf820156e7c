import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { DatabaseTarget } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { groupCommit } from '../platform/group-commit.ts';
import type { FinishedAttempt, LeasedDelivery } from './attempt-delivery.ts';
import { maxRetryDelay } from './retry-schedule.ts';

/** Condition for the deliveries of one worker. */
export type DeliveryFilter = (outbox: ExpressionBuilder<Tables, 'outbox'>) => Expression<SqlBool>;

/** In milliseconds. An hour longer than any retry delay or lease, because the clocks of the instances may differ. */
const maxWait = maxRetryDelay + 60 * 60_000;
/** The state of a delivery after an attempt. */
const stateAfter = { delivered: 'done', failed: 'pending', dead: 'dead' } as const;
/** Maximum number of attempts that one transaction records. */
const batchSize = 64;

/**
 * The pending deliveries in the outbox, shared by all instances on one database. An instance claims a delivery with a
 * lease. Another instance may claim it when the lease ends, because the first was killed or is too slow. The clocks of the
 * instances must agree to a few seconds.
 *
 * @param lease milliseconds
 */
export function openOutbox(database: DatabaseTarget, lease: number) {
  const { db, access } = database;
  const records = groupCommit<FinishedAttempt, undefined>(
    (group) => recordGroup(database, group),
    batchSize,
    (error) => access.unavailability(error) !== undefined,
  );

  return {
    /** The reason if an error means that the database is unavailable. It contains no text of a lead. */
    unavailability: access.unavailability,
    /** Claims due deliveries, the oldest first. */
    async claim(filter: DeliveryFilter, max: number, now: Date): Promise<LeasedDelivery[]> {
      // A read takes no lock. On SQLite, the claim itself would wait for other writers.
      const firstDue = await selectDue(db, filter, now).limit(1).executeTakeFirst();
      if (firstDue === undefined) return [];
      const leasedUntil = new Date(now.getTime() + lease).toISOString();
      const rows = await db
        // A CTE, because PostgreSQL may evaluate a subquery more than once and claim more than `max`.
        .with('due', () => {
          const due = selectDue(db, filter, now).orderBy('nextAttemptAt').limit(max);
          return access.hasSeveralWriters ? due.forUpdate().skipLocked() : due;
        })
        .updateTable('outbox')
        .set({ leasedUntil })
        .where('id', 'in', (query) => query.selectFrom('due').select('id'))
        .returning(['id', 'leadId', 'kind', 'target', 'attempts'])
        .execute();
      return rows.map((row) => ({ ...row, leasedUntil }));
    },
    /** Records an attempt, unless the delivery was erased. Changes the delivery only if the caller still holds its lease. */
    record: (finished: FinishedAttempt) => records.add(finished),
  };
}
export type OutboxQueue = ReturnType<typeof openOutbox>;

/** Also deliveries that would wait for longer than {@link maxWait}, because the clock was ahead when it set their time. */
function selectDue(db: DatabaseTarget['db'], filter: DeliveryFilter, now: Date) {
  const at = (later: number) => new Date(now.getTime() + later).toISOString();
  return db
    .selectFrom('outbox')
    .select('id')
    .where('state', '=', 'pending')
    .where(({ or, eb }) => or([eb('nextAttemptAt', '<=', at(0)), eb('nextAttemptAt', '>', at(maxWait))]))
    .where(({ or, eb }) =>
      or([
        eb('leasedUntil', 'is', null),
        eb('leasedUntil', '<=', at(0)),
        eb('leasedUntil', '>', at(maxWait)),
      ]),
    )
    .where(filter);
}

async function recordGroup(
  { db, access }: DatabaseTarget,
  group: readonly FinishedAttempt[],
): Promise<undefined[]> {
  const ids = group.map(({ delivery }) => delivery.id);
  await db.transaction().execute(async (transaction) => {
    // Some may have been erased. Locks the others, ordered, so that two instances cannot deadlock.
    const existing = await transaction
      .selectFrom('outbox')
      .select('id')
      .where('id', 'in', ids)
      .orderBy('id')
      .$if(access.hasSeveralWriters, (query) => query.forUpdate())
      .execute();
    const existingIds = new Set(existing.map(({ id }) => id));
    for (const finished of group.filter(({ delivery }) => existingIds.has(delivery.id))) {
      const { attemptId, delivery, startedAt, latencyMs, outcome, status, answer, attempts, nextAttemptAt } =
        finished;
      const state = stateAfter[outcome];
      await transaction
        .insertInto('deliveryAttempts')
        .values(({ selectFrom }) => ({
          ...{ startedAt, latencyMs, status, answer },
          outcome: outcome === 'delivered' ? 'delivered' : 'failed',
          id: attemptId,
          outboxId: delivery.id,
          // Not `attempts`, which does not count interrupted ones.
          number: selectFrom('deliveryAttempts')
            .select(({ eb, fn, lit }) => eb(fn.coalesce(fn.max('number'), lit(0)), '+', lit(1)).as('number'))
            .where('outboxId', '=', delivery.id),
        }))
        // It is recorded again if the answer of the commit was lost.
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
      await transaction
        .updateTable('outbox')
        .set({
          ...{ state, attempts, nextAttemptAt, leasedUntil: null },
          // A finished delivery has no next attempt. Its `nextAttemptAt` is the time at which the last attempt ended.
          finishedAt: state === 'pending' ? null : nextAttemptAt,
        })
        .where('id', '=', delivery.id)
        .where('leasedUntil', '=', delivery.leasedUntil)
        .execute();
    }
  });
  return group.map(() => undefined);
}
