import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';
import { GroupCommit } from '../platform/group-commit.ts';
import { uuidV7 } from '../platform/uuid-v7.ts';
import type { FinishedAttempt, LeasedDelivery } from './attempt-delivery.ts';
import { storedAs } from './attempt-result.ts';
import { maxRetryDelay } from './retry-schedule.ts';

/** Condition for the deliveries of one worker. */
export type DeliveryFilter = (outbox: ExpressionBuilder<Tables, 'outbox'>) => Expression<SqlBool>;

/** In milliseconds. An hour longer than any retry delay or lease, because the clocks of the instances may differ. */
const maxWait = maxRetryDelay + 60 * 60_000;
/** Maximum number of attempts that one transaction records. */
const batchSize = 64;

/**
 * The pending deliveries in the outbox, shared by all instances on one database. An instance claims a delivery with a
 * lease. Another instance may claim it when the lease ends, because the first was killed or is too slow. The clocks of the
 * instances must agree to a few seconds.
 */
export class OutboxQueue {
  readonly #database: Database;
  readonly #lease: number;
  readonly #records = new GroupCommit<FinishedAttempt, undefined>(
    (group) => this.#recordGroup(group),
    batchSize,
    (error) => this.unavailability(error) !== undefined,
  );

  /** @param lease milliseconds */
  constructor(database: Database, lease: number) {
    this.#database = database;
    this.#lease = lease;
  }

  /** The reason if an error means that the database is unavailable. It contains no text of a lead. */
  unavailability(error: unknown): string | undefined {
    return this.#database.access.unavailability(error);
  }

  /** Claims due deliveries, the oldest first. */
  async claim(filter: DeliveryFilter, max: number, now: Date): Promise<LeasedDelivery[]> {
    // A read takes no lock. On SQLite, the claim itself would wait for other writers.
    const firstDue = await this.#due(filter, now).limit(1).executeTakeFirst();
    if (firstDue === undefined) return [];
    const leasedUntil = new Date(now.getTime() + this.#lease).toISOString();
    const { db, access } = this.#database;
    const rows = await db
      // A CTE, because PostgreSQL may evaluate a subquery more than once and claim more than `max`.
      .with('due', () => {
        const due = this.#due(filter, now).orderBy('nextAttemptAt').limit(max);
        return access.hasSeveralWriters ? due.forUpdate().skipLocked() : due;
      })
      .updateTable('outbox')
      .set({ leasedUntil })
      .where('id', 'in', (query) => query.selectFrom('due').select('id'))
      .returning(['id', 'leadId', 'kind', 'target', 'attempts'])
      .execute();
    return rows.map((row) => ({ ...row, leasedUntil }));
  }

  /** Ends the leases of deliveries without an attempt, so that any instance can claim them at once. */
  async release(deliveries: readonly LeasedDelivery[]): Promise<void> {
    for (const { id, leasedUntil } of deliveries) {
      await this.#database.db
        .updateTable('outbox')
        .set({ leasedUntil: null })
        .where('id', '=', id)
        .where('leasedUntil', '=', leasedUntil)
        .execute();
    }
  }

  /** Records an attempt, unless the delivery was erased. Changes the delivery only if the caller still holds its lease. */
  record(finished: FinishedAttempt): Promise<undefined> {
    return this.#records.add(finished);
  }

  /** Also deliveries that would wait for longer than {@link maxWait}, because the clock was ahead when it set their time. */
  #due(filter: DeliveryFilter, now: Date) {
    const at = (later: number) => new Date(now.getTime() + later).toISOString();
    return this.#database.db
      .selectFrom('outbox')
      .select('id')
      .where('state', '=', 'pending')
      .where(({ or, eb }) => or([eb('nextAttemptAt', '<=', at(0)), eb('nextAttemptAt', '>', at(maxWait))]))
      .where(({ or, eb }) =>
        or([
          ...[eb('leasedUntil', 'is', null), eb('leasedUntil', '<=', at(0))],
          eb('leasedUntil', '>', at(maxWait)),
        ]),
      )
      .where(filter);
  }

  async #recordGroup(group: readonly FinishedAttempt[]): Promise<undefined[]> {
    const { db, access } = this.#database;
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
        const { delivery, startedAt, latencyMs, status, answer, attempts, nextAttemptAt } = finished;
        const { state, outcome } = storedAs[finished.outcome];
        await transaction
          .insertInto('deliveryAttempts')
          .values(({ selectFrom }) => ({
            ...{ startedAt, latencyMs, outcome, status, answer },
            id: uuidV7(Date.parse(startedAt)),
            outboxId: delivery.id,
            // Not `attempts`, which does not count interrupted ones.
            number: selectFrom('deliveryAttempts')
              .select(({ eb, fn, lit }) =>
                eb(fn.coalesce(fn.max('number'), lit(0)), '+', lit(1)).as('number'),
              )
              .where('outboxId', '=', delivery.id),
          }))
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
}
