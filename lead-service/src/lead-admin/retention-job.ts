import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { clockTolerance } from '../platform/clock-tolerance.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { AdminContext } from './admin-context.ts';
import { describeClockJump, findClockJump } from './retention-clock.ts';
import type { RetentionConfig } from './retention-config.ts';
import { applyRetention } from './apply-retention.ts';

/** Applies the retention limits every hour while the service runs. */
export interface RetentionJob {
  /** Why the job is paused, and the remedy, as sentences. Undefined while it runs normally. */
  readonly pauseReason: string | undefined;
  start(): void;
  /** Aborts the current run; the next run continues. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Milliseconds before the first run, and between two runs. */
interface Schedule {
  readonly first: number;
  readonly interval: number;
}

const hourly: Schedule = { first: 60_000, interval: 60 * 60_000 };

/** The actor of the job in the audit log. */
export const retentionActor = 'retention';

export function createRetentionJob(
  context: Omit<AdminContext, 'actor'>,
  retention: RetentionConfig,
  log: Log,
  { first, interval } = hourly,
): RetentionJob {
  const { db } = context.database;
  const stopping = new AbortController();
  const { signal } = stopping;
  let pauseReason: string | undefined;
  let running: Promise<void> | undefined;
  const pause = (milliseconds: number) =>
    setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);

  /** Also sets or clears the reason for the pause. */
  async function isClockPlausible(): Promise<boolean> {
    const jump = await findClockJump(db, retention, new Date());
    pauseReason = jump && describeClockJump(jump);
    if (pauseReason !== undefined) log.warn(pauseReason);
    return jump === undefined;
  }

  async function runRetentionOnce(): Promise<void> {
    await renewErasures(db, new Date());
    if (!(await isClockPlausible())) return;
    const { leads, expired } = await applyRetention({ ...context, actor: retentionActor }, retention, {
      signal,
    });
    if (leads + expired > 0) log.info('retention job finished', { leads, expired });
  }

  async function attempt(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!signal.aborted) log.warn('retention job failed, will retry', { error: describeError(error) });
    }
  }

  async function run(): Promise<void> {
    // Checked at the start, so that the operator sees the warning at once.
    await attempt(isClockPlausible);
    for (await pause(first); !signal.aborted; await pause(interval)) await attempt(runRetentionOnce);
  }

  return {
    get pauseReason() {
      return pauseReason;
    },
    start: () => void (running ??= run()),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/**
 * Corrects the times of erasures that a clock ahead has recorded. Until then, the move from a spool would drop new leads of
 * these people.
 */
async function renewErasures(db: Kysely<Tables>, now: Date): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ erasedAt: now.toISOString() })
    .where('erasedAt', '>', new Date(now.getTime() + clockTolerance).toISOString())
    .execute();
}
