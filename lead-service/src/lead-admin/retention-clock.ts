import type { Kysely } from 'kysely';
import type { Tables } from '../store/tables.ts';
import type { RetentionConfig } from './retention-config.ts';

const job = 'retention';
const longestPause = 24 * 60 * 60_000;

/** A time between two runs of the retention job that only a long stop or a wrong clock explains. */
export interface ClockJump {
  /** When it last ran, by the clock of then. */
  readonly lastRun: string;
  readonly now: string;
}

/**
 * With a clock that is ahead, leads look older than they are, and would be erased too soon. The job runs every hour, so a
 * clock that has moved by more than a day since its last run is not believed. Undefined: nothing speaks against erasing.
 */
export async function findClockJump(
  db: Kysely<Tables>,
  { days, quarantineDays }: RetentionConfig,
  now: Date,
): Promise<ClockJump | undefined> {
  if (![...Object.values(days), quarantineDays].some((limit) => limit > 0)) return undefined;
  const run = await db.selectFrom('jobRuns').select('ranAt').where('job', '=', job).executeTakeFirst();
  if (run === undefined || now.getTime() - Date.parse(run.ranAt) <= longestPause) return undefined;
  return { lastRun: run.ranAt, now: now.toISOString() };
}

/** Notes that the job has run: from now on, this is the time to compare with. */
export async function noteRun(db: Kysely<Tables>, now: Date): Promise<void> {
  const ranAt = now.toISOString();
  await db
    .insertInto('jobRuns')
    .values({ job, ranAt })
    .onConflict((conflict) => conflict.column('job').doUpdateSet({ ranAt }))
    .execute();
}

/** What is wrong and what to do, for the operator. */
export function describeClockJump({ lastRun, now }: ClockJump): string {
  return `It is ${now} by the clock of this machine, and the retention job last ran at ${lastRun}. Nothing is erased, because the clock may be wrong. Correct it, or run "leads prune --clock-is-right".`;
}
