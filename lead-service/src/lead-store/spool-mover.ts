import {
  type LeadToStore,
  insertLeads,
  idempotencyOfItself,
  withoutStored,
} from '../database/insert-leads.ts';
import { prepare, type Database, type DatabaseTarget } from '../database/database.ts';
import { lockAndSkipErased } from '../database/erasures.ts';
import { describeError, type Log } from '../platform/log.ts';
import { createLoop } from '../platform/loop.ts';
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
export function createSpoolMover(
  database: Database,
  spool: Spool,
  log: Log,
  { onAvailable, mayNeedMigration = false, refusedInterval = defaultRefusedInterval }: MoverOptions = {},
) {
  /** Ids of leads that the database refuses. They stay in the spool, do not block the others, and are attempted again at times. */
  let refusedIds: string[] = [];
  let nextRefused = Infinity;
  let needsMigration = mayNeedMigration;
  /** The failure that was logged last, since the last success. */
  let failure: string | undefined;

  /** Why the database or the spool is unavailable, if an error means that. */
  const unavailability = (error: unknown) =>
    database.access.unavailability(error) ?? spool.access.unavailability(error);

  const loop = createLoop(async (stopping) => {
    try {
      await moveAll(stopping);
      failure = undefined;
      return refusedInterval;
    } catch (error) {
      const reason = unavailability(error) ?? describeError(error);
      // The reason of an outage may change, such as to a rejected password.
      if (reason !== failure) log.error('leads stay in the spool', { reason });
      failure = reason;
      return retryInterval;
    }
  });

  async function moveAll(stopping: AbortSignal): Promise<void> {
    if (needsMigration) {
      await prepare(database);
      onAvailable?.();
    }
    needsMigration = false;
    if (performance.now() >= nextRefused) refusedIds = [];
    while (!stopping.aborted) {
      const leads = await spool.oldest(batchSize, refusedIds);
      if (leads.length === 0) return;
      await moveBatch(leads);
      onAvailable?.();
    }
  }

  async function moveBatch(leads: readonly LeadToStore[]): Promise<void> {
    const [first, ...others] = leads;
    try {
      const count = await moveLeads(leads, spool, database);
      log.info('moved leads from the spool to the database', { count, dropped: leads.length - count });
    } catch (error) {
      if (first === undefined || unavailability(error) !== undefined) throw error;
      if (others.length > 0) {
        // One by one, because one refused lead must not block the others.
        for (const lead of leads) await moveBatch([lead]);
        return;
      }
      const details = { lead: first.lead.id, error: describeError(error) };
      log.error('the database refuses a lead, it stays in the spool', details);
      if (refusedIds.push(first.lead.id) === 1) nextRefused = performance.now() + refusedInterval;
    }
  }

  return {
    /** Number of leads in the spool that the database refuses. */
    refusedByDatabase: () => refusedIds.length,
    /** Moves the leads in the spool, and retries until it succeeds. */
    start: loop.start,
    /** There is a new lead in the spool. After a failure, it waits for the next attempt. */
    notify(): void {
      if (failure === undefined) loop.wake();
    },
    stop: loop.stop,
  };
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
    const kept = await lockAndSkipErased({ db, access }, leads);
    // A commit may have succeeded although its response was lost. Other moves have ended, because of the lock of `lockAndSkipErased`.
    // A commit of the intake that still runs holds the key, for which `insertLeads` waits.
    const missing = await withoutStored(db, kept);
    const outcomes = await insertLeads({ db, access }, missing);
    // Their key belongs to a different lead, or to an equal one that came after it had expired. Both are kept, because both senders got a
    // success response.
    const conflicting = missing.filter((_lead, index) => {
      const outcome = outcomes[index];
      return outcome?.kind === 'key-reused' || (outcome?.kind === 'repeated' && outcome.isLater);
    });
    await insertLeads(
      { db, access },
      conflicting.map((each) => ({ ...each, idempotency: idempotencyOfItself(each.lead) })),
    );
    const stored = outcomes.filter(({ kind }) => kind === 'stored').length + conflicting.length;
    return kept.length - missing.length + stored;
  });
  await spool.remove(leads.map(({ lead }) => lead.id));
  return moved;
}
