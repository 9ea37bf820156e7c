import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { RetentionConfig } from './retention-config.ts';

const job = 'retention';
const maxPause = 24 * 60 * 60_000;

/** An interval between two runs of the retention job that only a long stop or a wrong clock explains. */
interface ClockJump {
  /** Time of the last run, by the clock at that run. */
  readonly lastRun: string;
  readonly now: string;
}

/**
 * Finds a clock jump, or undefined. With a clock that is ahead, leads look older than they are and would be erased too
 * soon. The job runs every hour, so a step of more than a day since the last run is suspicious.
 */
export async function findClockJump(
  db: Kysely<Tables>,
  { days, quarantineDays }: RetentionConfig,
  now: Date,
): Promise<ClockJump | undefined> {
  if (![...Object.values(days), quarantineDays].some((limit) => limit > 0)) return undefined;
  const run = await db.selectFrom('jobRuns').select('ranAt').where('job', '=', job).executeTakeFirst();
  if (run === undefined || now.getTime() - Date.parse(run.ranAt) <= maxPause) return undefined;
  return { lastRun: run.ranAt, now: now.toISOString() };
}

/** Records the run of the job, for the next comparison. */
export async function noteRun(db: Kysely<Tables>, now: Date): Promise<void> {
  const ranAt = now.toISOString();
  await db
    .insertInto('jobRuns')
    .values({ job, ranAt })
    .onConflict((conflict) => conflict.column('job').doUpdateSet({ ranAt }))
    .execute();
}

/** Message for the operator: the problem and its remedy. */
export function describeClockJump({ lastRun, now }: ClockJump): string {
  return `It is ${now} by the clock of this machine, and the retention job last ran at ${lastRun}. Nothing is erased, because the clock may be wrong. Correct it, or run "leads prune --clock-is-right".`;
}
