import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { describeError, type Log } from '../platform/log.ts';
import type { AdminContext } from './admin-context.ts';
import { deleteLeads } from './erase-leads.ts';

/** Days after which leads are deleted, and counts removed. 0: never. */
export interface RetentionConfig {
  readonly days: number;
  /** For leads in quarantine, if it is shorter. */
  readonly quarantineDays: number;
  /** For counts of page reports. */
  readonly pageReportDays: number;
}

const day = 24 * 60 * 60_000;
/** Milliseconds before the first run, and between two runs. */
const hourly = { first: 60_000, interval: 60 * 60_000 };

/** Deletes leads past their limit with all that belongs to them, expired idempotency records, and old counts. Returns the number of leads. */
export async function applyRetention(
  context: AdminContext,
  { days, quarantineDays, pageReportDays }: RetentionConfig,
  signal?: AbortSignal,
): Promise<number> {
  const { db } = context.database;
  const now = Date.now();
  const before = (limit: number) => (limit > 0 ? new Date(now - limit * day).toISOString() : '');
  let leads = 0;
  const deleted = (count: number) => {
    leads += count;
  };
  const expired = sql<boolean>`(received_at < ${before(days)}
    or (quarantined_at is not null and received_at < ${before(quarantineDays)}))`;
  await deleteLeads(context, expired, { deleted, ...(signal && { signal }) });
  await db.deleteFrom('idempotencyRecords').where('expiresAt', '<=', new Date(now).toISOString()).execute();
  await db.deleteFrom('pageReports').where('beganAt', '<', before(pageReportDays)).execute();
  return leads;
}

interface RetentionJob {
  start(): void;
  /** Aborts the current run; the next run continues. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Applies the limits every hour while the service runs. */
export function createRetentionJob(
  context: AdminContext,
  retention: RetentionConfig,
  log: Log,
  { first, interval } = hourly,
): RetentionJob {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  async function runOnce(): Promise<void> {
    try {
      const leads = await applyRetention(context, retention, signal);
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
