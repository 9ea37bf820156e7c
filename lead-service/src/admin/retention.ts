import { wholeNumber } from '@countersign/contracts/settings';
import { sql } from 'kysely';
import * as z from 'zod';
import type { DatabaseTarget } from '../database/database.ts';
import { describeError, type Log } from '../platform/log.ts';
import { createLoop } from '../platform/loop.ts';
import { retentionTime } from '../platform/event-metrics.ts';
import { StartupError } from '../platform/explained-error.ts';
import { type AdminContext, placesOf } from './admin-context.ts';
import { deleteLeads } from './delete-leads.ts';

export const retentionSettings = z.object({
  RETENTION_DAYS: wholeNumber(0, 36_500)
    .default(730)
    .describe(
      'Days after which leads are deleted, two years unless set; `0`: never. If that fails, [an alarm fires](operation.md#personal-data)',
    ),
});

/** Days after which counts of page reports are removed. More than a year, so that a month can be compared with the same one before. */
const pageReportDays = 400;
/** Days for which an expired idempotency record stays, because a retry of its lead may still wait in the spool of an instance. */
const expiredRecordDays = 7;
const day = 24 * 60 * 60_000;
/** Milliseconds before the first run, and between two runs. */
const hourly = { first: 60_000, interval: 60 * 60_000 };

/** Milliseconds by which the clock may advance between two runs, also while the service is stopped. */
const maxStep = 7 * day;

interface RetentionOptions {
  readonly signal?: AbortSignal;
  readonly now?: number;
  /** Whether a person has confirmed the clock and the limit. */
  readonly isConfirmed?: boolean;
}

/**
 * Deletes leads past their limit, also in the spool, with all that belongs to them, old idempotency records, and old page reports.
 * If leads have a limit, deletes nothing and throws a {@link StartupError} unless the clock has advanced by little since the last run, and
 * a lead would stay. Returns the number of leads.
 *
 * @param days after which leads are deleted. 0: never
 */
export async function applyRetention(
  context: AdminContext,
  days: number,
  { signal, now = Date.now(), isConfirmed = false }: RetentionOptions = {},
): Promise<number> {
  const { db } = context.database;
  const before = (limit: number) => new Date(now - limit * day).toISOString();
  const limit = days > 0 ? before(days) : undefined;
  const seenAt = before(0);
  if (!isConfirmed && limit !== undefined) await refuseIfDoubtful(context, now, limit);
  const clock = db.updateTable('retentionClock').set({ seenAt });
  // A clock that was ahead goes back, so that small steps do not add up. One that has lost its time does not.
  await (isConfirmed ? clock : clock.where('seenAt', '<', new Date(now + maxStep).toISOString())).execute();
  const expired = limit === undefined ? sql<boolean>`false` : sql<boolean>`received_at < ${limit}`;
  await db.deleteFrom('idempotencyRecords').where('expiresAt', '<=', before(expiredRecordDays)).execute();
  await db.deleteFrom('pageReports').where('beganAt', '<', before(pageReportDays)).execute();
  return deleteLeads(context, expired, signal);
}

/** @param limit time before which leads are deleted */
async function refuseIfDoubtful(context: AdminContext, now: number, limit: string): Promise<void> {
  const { db } = context.database;
  const confirm = 'if it is right, run "npm run leads -- retention --yes" with the same RETENTION_DAYS.';
  const { seenAt } = await db.selectFrom('retentionClock').select('seenAt').executeTakeFirstOrThrow();
  if (now - Date.parse(seenAt) > maxStep) {
    const clock = new Date(now).toISOString();
    throw new StartupError(
      `Nothing was deleted: the clock says ${clock}, and the last run was at ${seenAt}. Correct the clock; ${confirm}`,
    );
  }
  const times = await Promise.all(placesOf(context).map(newestIn));
  const newest = times
    .filter((time) => time !== null)
    .toSorted()
    .at(-1);
  if (newest === undefined || newest >= limit) return;
  throw new StartupError(
    `Nothing was deleted: all leads are older than RETENTION_DAYS permits, the newest is of ${newest}. Correct that setting; ${confirm}`,
  );
}

/** Time of the newest lead, if there is one. */
async function newestIn({ db }: DatabaseTarget): Promise<string | null> {
  const { newest } = await db
    .selectFrom('leads')
    .select(({ fn }) => fn.max<string | null>('receivedAt').as('newest'))
    .executeTakeFirstOrThrow();
  return newest;
}

/** Applies the limit every hour while the service runs. */
export function createRetentionJob(
  context: AdminContext,
  days: number,
  log: Log,
  { first, interval } = hourly,
) {
  const loop = createLoop(async (signal) => {
    try {
      const leads = await applyRetention(context, days, { signal });
      retentionTime.setToCurrentTime();
      if (leads > 0) log.info('retention finished', { leads });
    } catch (error) {
      if (!signal.aborted) log.error('retention failed', { reason: describeError(error) });
    }
    return interval;
  }, first);
  return {
    start() {
      // The alarm `RetentionFails` reads the time since.
      retentionTime.setToCurrentTime();
      loop.start();
    },
    /** Aborts the current run; the next run continues. Resolves when it has ended. */
    stop: loop.stop,
  };
}
