import type { ExpressionBuilder, Expression, SqlBool } from 'kysely';
import { GroupCommit } from '../group-commit.ts';
import type { Log } from '../log.ts';
import type { Database } from '../store/database.ts';
import type { DeliveryAttemptRow, DeliveryState, Tables } from '../store/tables.ts';
import { uuidV7 } from '../uuid-v7.ts';
import { renewDeliveries } from './renew-deliveries.ts';
import type { LeasedDelivery } from './send-result.ts';

/** Which deliveries are meant. */
export type DeliveryFilter = (outbox: ExpressionBuilder<Tables, 'outbox'>) => Expression<SqlBool>;

/** What an attempt was like, and what becomes of its delivery. */
export interface FinishedAttempt {
  readonly delivery: LeasedDelivery;
  readonly attempt: Pick<DeliveryAttemptRow, 'startedAt' | 'latencyMs' | 'outcome' | 'status' | 'answer'>;
  readonly next: {
    readonly state: DeliveryState;
    readonly attempts: number;
    readonly nextAttemptAt: string;
    readonly finishedAt: string | null;
  };
}

/** How often deliveries are looked for that a wrong clock has planned, in milliseconds. */
const betweenRenewals = 60_000;

/** As many attempts as are recorded in one transaction. */
const mostAtOnce = 64;

/**
 * The deliveries that wait in the outbox, shared by all instances on one database. Who takes one has it until the lease
 * ends; then the next one may, because the first has died or is too slow. Clocks of instances must agree to a few seconds.
 */
export class OutboxQueue {
  readonly #database: Database;
  readonly #lease: number;
  readonly #log: Log;
  #renewedAt = -Infinity;
  readonly #records = new GroupCommit<FinishedAttempt, undefined>((group) => this.#record(group), mostAtOnce);

  /** @param lease milliseconds */
  constructor(database: Database, lease: number, log: Log) {
    this.#database = database;
    this.#lease = lease;
    this.#log = log;
  }

  /** Takes what is due, the most urgent first. */
  async claim(filter: DeliveryFilter, most: number, now: Date): Promise<LeasedDelivery[]> {
    await this.#renewSometimes(now);
    // Looking takes no lock; on SQLite the claim itself would wait for whoever writes.
    const [anything] = await this.#due(filter, now).limit(1).execute();
    if (anything === undefined) return [];
    const leasedUntil = new Date(now.getTime() + this.#lease).toISOString();
    const { db, access } = this.#database;
    const rows = await db
      // As a subquery it might be evaluated more than once, and take more than it should.
      .with('due', () => {
        const due = this.#due(filter, now).orderBy('nextAttemptAt').limit(most);
        return access.skipsLocked ? due.forUpdate().skipLocked() : due;
      })
      .updateTable('outbox')
      .set({ leasedUntil })
      .where('id', 'in', (query) => query.selectFrom('due').select('id'))
      .returning(['id', 'leadId', 'kind', 'target', 'attempts'])
      .execute();
    return rows.map((row) => ({ ...row, leasedUntil }));
  }

  /** Gives back what has not been begun. */
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

  /** Records an attempt. What becomes of the delivery is up to whoever has the lease by now. */
  record(finished: FinishedAttempt): Promise<undefined> {
    return this.#records.add(finished);
  }

  async #renewSometimes(now: Date): Promise<void> {
    if (performance.now() < this.#renewedAt + betweenRenewals) return;
    const count = await renewDeliveries(this.#database.db, now);
    this.#renewedAt = performance.now();
    if (count > 0) {
      this.#log.warn('deliveries were planned by a clock that was ahead, and are made now', { count });
    }
  }

  #due(filter: DeliveryFilter, now: Date) {
    return this.#database.db
      .selectFrom('outbox')
      .select('id')
      .where('state', '=', 'pending')
      .where('nextAttemptAt', '<=', now.toISOString())
      .where(({ or, eb }) => or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<=', now.toISOString())]))
      .where(filter);
  }

  async #record(group: readonly FinishedAttempt[]): Promise<undefined[]> {
    // In the order of their ids: two instances never wait for each other.
    const ordered = group.toSorted((a, b) => (a.delivery.id < b.delivery.id ? -1 : 1));
    await this.#database.db.transaction().execute(async (transaction) => {
      for (const { delivery, attempt, next } of ordered) {
        await transaction
          .insertInto('deliveryAttempts')
          .values(({ selectFrom }) => ({
            ...attempt,
            id: uuidV7(Date.parse(attempt.startedAt)),
            outboxId: delivery.id,
            number: selectFrom('deliveryAttempts')
              .select(({ eb, fn, lit }) =>
                eb(fn.coalesce(fn.max('number'), lit(0)), '+', lit(1)).as('number'),
              )
              .where('outboxId', '=', delivery.id),
          }))
          .execute();
        await transaction
          .updateTable('outbox')
          .set({ ...next, leasedUntil: null })
          .where('id', '=', delivery.id)
          .where('leasedUntil', '=', delivery.leasedUntil)
          .execute();
      }
    });
    return group.map(() => undefined);
  }
}
