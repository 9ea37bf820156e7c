import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { clockTolerance } from '../clock-tolerance.ts';
import { describeError, type Log } from '../log.ts';
import type { Desk } from '../sales/desk.ts';
import type { Tables } from '../store/tables.ts';
import { describeClockJump, findClockJump } from './retention-clock.ts';
import type { RetentionConfig } from './retention-config.ts';
import { sweep } from './sweep.ts';

/** Sweeps now and then, as long as the service runs. */
export interface Sweeper {
  /** Why nothing is erased although it may be time, and what to do, as sentences. Undefined: all is well. */
  readonly waitsFor: string | undefined;
  start(): void;
  /** Breaks off a sweep that is under way; the next one goes on. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** In milliseconds. */
interface Pace {
  readonly first: number;
  readonly between: number;
}

const hourly: Pace = { first: 60_000, between: 60 * 60_000 };

/** The actor in the audit log for what nobody has done by hand. */
export const retentionActor = 'retention';

export function createSweeper(
  desk: Omit<Desk, 'actor'>,
  retention: RetentionConfig,
  log: Log,
  { first, between } = hourly,
): Sweeper {
  const { db } = desk.database;
  const stopping = new AbortController();
  const { signal } = stopping;
  let waitsFor: string | undefined;
  let running: Promise<void> | undefined;
  const pause = (milliseconds: number) =>
    setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);

  /** Whether the clock can be believed. */
  async function trustClock(): Promise<boolean> {
    const jump = await findClockJump(db, retention, new Date());
    waitsFor = jump && describeClockJump(jump);
    if (waitsFor !== undefined) log.warn(waitsFor);
    return jump === undefined;
  }

  async function sweepOnce(): Promise<void> {
    await renewErasures(db, new Date());
    if (!(await trustClock())) return;
    const { leads, expired } = await sweep({ ...desk, actor: retentionActor }, retention, { signal });
    if (leads + expired > 0) log.info('swept', { leads, expired });
  }

  async function attempt(action: () => Promise<unknown>): Promise<void> {
    try {
      await action();
    } catch (error) {
      if (!signal.aborted) log.warn('could not sweep, will try again', { error: describeError(error) });
    }
  }

  async function run(): Promise<void> {
    // At once, so that the operator hears of it.
    await attempt(trustClock);
    for (await pause(first); !signal.aborted; await pause(between)) await attempt(sweepOnce);
  }

  return {
    get waitsFor() {
      return waitsFor;
    },
    start: () => void (running ??= run()),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Whom a clock that was ahead has erased would be erased until then: every new lead of theirs in a spool would be dropped. */
async function renewErasures(db: Kysely<Tables>, now: Date): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ erasedAt: now.toISOString() })
    .where('erasedAt', '>', new Date(now.getTime() + clockTolerance).toISOString())
    .execute();
}
