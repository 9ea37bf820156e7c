import { setTimeout } from 'node:timers/promises';
import type { Transaction } from 'kysely';
import { type LeadToStore, insertLeads, idempotencyOfItself } from '../database/insert-leads.ts';
import { prepare, type Database, type DatabaseTarget } from '../database/database.ts';
import { withoutErased } from '../database/erasures.ts';
import type { Tables } from '../database/tables.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Spool } from './spool.ts';

/** Milliseconds between attempts while the database is unavailable. */
const retryInterval = 1_000;
/** Milliseconds until refused leads are attempted again, because an operator may have removed the reason. */
const defaultRefusedInterval = 10 * 60_000;
const batchSize = 128;

interface MoverOptions {
  /** Called when the database has answered: after a migration, and after each batch. */
  onAvailable?(): void;
  /** Whether the database was unavailable at the start, and so may need a migration. */
  readonly mayNeedMigration?: boolean;
  readonly refusedInterval?: number;
}

/** Moves the leads of a spool to the database, the oldest first, once it is available. */
export class SpoolMover {
  readonly #database: Database;
  readonly #spool: Spool;
  readonly #log: Log;
  readonly #options: MoverOptions;
  readonly #stopping = new AbortController();
  /** Leads that the database refuses. They stay in the spool, do not block the others, and are attempted again at times. */
  #refused = 0;
  /** The last of them. Those after it are not attempted yet, because ids increase. */
  #lastRefused = '';
  #mayNeedMigration: boolean;
  /** The failure that was logged last. */
  #reason: string | undefined;
  /** Whether leads may have been spooled since the mover last read the spool. */
  #hasSpooled = false;
  #moving: Promise<void> | undefined;

  constructor(database: Database, spool: Spool, log: Log, options: MoverOptions = {}) {
    this.#database = database;
    this.#spool = spool;
    this.#log = log;
    this.#options = options;
    this.#mayNeedMigration = options.mayNeedMigration ?? false;
  }

  /** Number of leads in the spool that the database refuses. */
  refusedByDatabase(): number {
    return this.#refused;
  }

  /** Moves the leads in the spool, and retries until it succeeds. Call it after each spooled lead. */
  start(): void {
    this.#hasSpooled = true;
    this.#moving ??= this.#move();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#moving;
  }

  async #move(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#hasSpooled && !signal.aborted) {
      this.#hasSpooled = false;
      try {
        await this.#moveAll();
        this.#reason = undefined;
      } catch (error) {
        this.#hasSpooled = true;
        this.#noteFailure(error);
        await setTimeout(retryInterval, undefined, { signal }).catch(() => undefined);
      }
    }
    // Must run synchronously after the last check, so that a lead spooled later restarts the loop.
    this.#moving = undefined;
  }

  async #moveAll(): Promise<void> {
    if (this.#mayNeedMigration) {
      await prepare(this.#database);
      this.#options.onAvailable?.();
    }
    this.#mayNeedMigration = false;
    while (!this.#stopping.signal.aborted) {
      const leads = await this.#spool.oldest(batchSize, this.#lastRefused);
      if (leads.length === 0) return;
      await this.#moveBatch(leads);
      this.#options.onAvailable?.();
    }
  }

  async #moveBatch(leads: readonly LeadToStore[]): Promise<void> {
    const [only, ...others] = leads;
    try {
      const count = await moveLeads(leads, this.#spool, this.#database);
      this.#log.info('moved leads from the spool to the database', { count, dropped: leads.length - count });
    } catch (error) {
      if (this.#unavailability(error) !== undefined) throw error;
      if (only !== undefined && others.length === 0) return this.#leaveInSpool(only, error);
      // One by one, because one refused lead must not block the others.
      for (const lead of leads) await this.#moveBatch([lead]);
    }
  }

  #leaveInSpool({ lead }: LeadToStore, error: unknown): void {
    const details = { lead: lead.id, error: describeError(error) };
    this.#log.error('the database refuses a lead, it stays in the spool', details);
    this.#refused += 1;
    this.#lastRefused = lead.id;
    // The first refused lead starts the timer for all.
    if (this.#refused > 1) return;
    const interval = this.#options.refusedInterval ?? defaultRefusedInterval;
    void setTimeout(interval, undefined, { ref: false }).then(async () => {
      // Not in the middle of a batch, whose leads would then be before the last refused one.
      await this.#moving;
      this.#refused = 0;
      this.#lastRefused = '';
      this.start();
    });
  }

  /** Logs a failure, unless the last one had the same reason. That of an outage may change, such as to a rejected password. */
  #noteFailure(error: unknown): void {
    const reason = this.#unavailability(error) ?? describeError(error);
    if (reason !== this.#reason) this.#log.error('leads stay in the spool', { reason });
    this.#reason = reason;
  }

  /** Why the database or the spool is unavailable, if an error means that. */
  #unavailability(error: unknown): string | undefined {
    return this.#database.access.unavailability(error) ?? this.#spool.access.unavailability(error);
  }
}

/**
 * Moves leads from a spool into the database. It is safe to retry after a failure at any point. The next attempt finds
 * the committed leads by their ids, even if their keys have changed.
 *
 * @returns the number of leads that are in the database; the others were dropped, as erased or repeated
 */
export async function moveLeads(
  leads: readonly LeadToStore[],
  spool: Spool,
  database: DatabaseTarget,
): Promise<number> {
  const { access } = database;
  const moved = await database.db.transaction().execute(async (db) => {
    const missing = await withoutArrived(db, leads);
    const remaining = await withoutErased({ db, access }, missing);
    const outcomes = await insertLeads({ db, access }, remaining);
    // Their key belongs to a different lead, or to an equal one that came after it had expired. Both are kept, because both senders got a
    // success response.
    const conflicting = remaining.filter((_lead, index) => {
      const outcome = outcomes[index];
      return outcome?.kind === 'key-reused' || (outcome?.kind === 'repeated' && outcome.isLater);
    });
    await insertLeads(
      { db, access },
      conflicting.map((each) => ({ ...each, idempotency: idempotencyOfItself(each.lead) })),
    );
    const stored = outcomes.filter(({ kind }) => kind === 'stored').length + conflicting.length;
    return leads.length - missing.length + stored;
  });
  await spool.remove(leads.map(({ lead }) => lead.id));
  return moved;
}

/** Leaves out leads that are in the database already, because a commit may have succeeded although its response was lost. */
async function withoutArrived(
  db: Transaction<Tables>,
  leads: readonly LeadToStore[],
): Promise<readonly LeadToStore[]> {
  const ids = leads.map(({ lead }) => lead.id);
  const rows = await db.selectFrom('leads').select('id').where('id', 'in', ids).execute();
  const arrived = new Set(rows.map(({ id }) => id));
  return leads.filter(({ lead }) => !arrived.has(lead.id));
}
