import { type CanaryGroup, periodLength } from '@countersign/contracts/page-report';
import type { Kysely } from 'kysely';
import type { Tables, PageReportRow } from '../database/tables.ts';
import { describeError, type Log } from '../platform/log.ts';
import { createLoop } from '../platform/loop.ts';
import type { PartVersion } from './live-page.ts';

export interface VersionLabels extends PartVersion {
  readonly releaseId: string;
  readonly group: CanaryGroup;
}

/** Milliseconds between two writes. A process that is killed loses the counts of this time. */
const writeInterval = 5_000;

/**
 * Maximum number of rows that wait for a database that is unavailable. The oldest are dropped first. One
 * statement must hold all of them, and databases limit its parameters.
 */
const maxWaiting = 2_000;

/**
 * Collects counts in memory, and adds them to the database at intervals, where all instances add to the same rows. A write whose answer
 * was lost is repeated, so its counts may be counted twice. While the process runs, a count is lost only beyond
 * {@link maxWaiting} rows; what a stop cannot write is lost.
 */
export function openReportCounts(
  db: Kysely<Tables>,
  log: Log,
  now: () => number = Date.now,
  max = maxWaiting,
) {
  let waiting = new Map<string, PageReportRow>();

  function addRow(row: PageReportRow): void {
    const key = keyOf(row);
    const { count = 0 } = waiting.get(key) ?? {};
    waiting.set(key, { ...row, count: count + row.count });
    const [oldest] = waiting.keys();
    if (waiting.size > max && oldest !== undefined) waiting.delete(oldest);
  }

  async function write(): Promise<void> {
    if (waiting.size === 0) return;
    const rows = [...waiting.values()];
    waiting = new Map();
    try {
      await addToReports(db, rows);
    } catch (error) {
      const newer = waiting.values();
      waiting = new Map();
      // In this order, because `addRow` drops the oldest beyond the maximum.
      for (const row of [...rows, ...newer]) addRow(row);
      log.warn('could not store counts of page reports; while the service runs, it retries', {
        error: describeError(error),
      });
    }
  }

  const loop = createLoop(async () => {
    await write();
    return writeInterval;
  }, writeInterval);
  loop.start();
  return {
    /** Adds one to a count. It is in the database after some seconds. */
    add({ group: visitors, ...version }: VersionLabels, measure: string): void {
      const beganAt = new Date(Math.floor(now() / periodLength) * periodLength).toISOString();
      addRow({ ...version, beganAt, visitors, measure, count: 1 });
    },
    /** Writes the rest. */
    async stop(): Promise<void> {
      await loop.stop();
      // A write in progress does not include the counts since its start.
      await write();
    },
  };
}

/** Adds all rows, or none. */
async function addToReports(db: Kysely<Tables>, rows: readonly PageReportRow[]): Promise<void> {
  await db
    .insertInto('pageReports')
    // Sorted by key, so that two instances cannot deadlock.
    .values(rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .columns(['beganAt', 'releaseId', 'part', 'version', 'visitors', 'measure'])
        .doUpdateSet((row) => ({ count: row('pageReports.count', '+', row.ref('excluded.count')) })),
    )
    .execute();
}

const keyOf = ({ beganAt, releaseId, part, version, visitors, measure }: PageReportRow) =>
  [beganAt, releaseId, part, version, visitors, measure].join(' ');
