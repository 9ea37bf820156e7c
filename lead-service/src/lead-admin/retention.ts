import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { describeError, type Log } from '../platform/log.ts';
import type { AdminContext } from './admin-context.ts';
import { deleteLeads } from './erase-leads.ts';

/** Days after which counts of page reports are removed. More than a year, so that a month can be compared with the same one before. */
const pageReportDays = 400;
const day = 24 * 60 * 60_000;
/** Milliseconds before the first run, and between two runs. */
const hourly = { first: 60_000, interval: 60 * 60_000 };

/**
 * Deletes leads past their limit with all that belongs to them, expired idempotency records, and old page reports. Returns the
 * number of leads.
 *
 * @param days after which leads are deleted. 0: never
 */
export async function applyRetention(
  context: AdminContext,
  days: number,
  signal?: AbortSignal,
): Promise<number> {
  const { db } = context.database;
  const now = Date.now();
  // No time is less than the empty text.
  const before = (limit: number) => (limit > 0 ? new Date(now - limit * day).toISOString() : '');
  let leads = 0;
  const onDeleted = (count: number) => {
    leads += count;
  };
  const expired = sql<boolean>`received_at < ${before(days)}`;
  await deleteLeads(context, expired, { onDeleted, ...(signal && { signal }) });
  await db.deleteFrom('idempotencyRecords').where('expiresAt', '<=', new Date(now).toISOString()).execute();
  await db.deleteFrom('pageReports').where('beganAt', '<', before(pageReportDays)).execute();
  return leads;
}

interface RetentionJob {
  start(): void;
  /** Aborts the current run; the next run continues. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Applies the limit every hour while the service runs. */
export function createRetentionJob(
  context: AdminContext,
  days: number,
  log: Log,
  { first, interval } = hourly,
): RetentionJob {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  async function runOnce(): Promise<void> {
    try {
      const leads = await applyRetention(context, days, signal);
      if (leads > 0) log.info('retention job finished', { leads });
    } catch (error) {
      if (!signal.aborted) log.warn('retention job failed, will retry', { error: describeError(error) });
    }
  }
  async function run(): Promise<void> {
    const pause = (milliseconds: number) =>
      setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);
    for (await pause(first); !signal.aborted; await pause(interval)) await runOnce();
  }
  return {
    start: () => void (running ??= run()),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
