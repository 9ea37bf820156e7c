import { startOfPeriod } from '@countersign/contracts/page-reports';
import type { CanaryGroup } from '@countersign/contracts/telemetry';
import type { Kysely } from 'kysely';
import type { Tables, PageReportRow } from '../database/tables.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { PartVersion } from './live-page.ts';

export interface VersionLabels extends PartVersion {
  readonly releaseId: string;
  readonly group: CanaryGroup;
}

/** Counts of page reports in the database. All instances add to the same rows. */
export interface ReportCounts {
  /** Adds to a count. It is in the database after some seconds. */
  add(labels: VersionLabels, measure: string, points: number): void;
  /** @param collect is called before each write, and may add counts */
  start(collect: () => Promise<void>): void;
  stop(): Promise<void>;
}

/** Between two writes, in milliseconds. A process that is killed loses the counts of this time. */
const writeInterval = 5_000;

/** Maximum number of rows that wait for a database that is unavailable. The oldest are dropped first. */
const maxWaiting = 20_000;

/** Maximum number of rows in a statement, because databases limit the number of parameters. */
const batchSize = 500;

/**
 * A write whose answer was lost is repeated, so the counts of these seconds may be counted twice. They are never counted less
 * than once while the process runs.
 */
export function openReportCounts(
  db: Kysely<Tables>,
  log: Log,
  now: () => number = Date.now,
  max = maxWaiting,
): ReportCounts {
  let waiting = new Map<string, PageReportRow>();
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let collectCounts: () => Promise<void> = async () => undefined;

  function addRow(row: PageReportRow): void {
    const key = keyOf(row);
    const { count = 0 } = waiting.get(key) ?? {};
    waiting.set(key, { ...row, count: count + row.count });
    const [oldest] = waiting.keys();
    if (waiting.size > max && oldest !== undefined) waiting.delete(oldest);
  }

  async function write(): Promise<void> {
    await collectCounts();
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
      log.warn('could not store counts of page reports, will retry', { error: describeError(error) });
    }
  }

  /** Writes, or waits for the write in progress. */
  const writeOnce = () => (writing ??= write().finally(() => (writing = undefined)));

  return {
    add({ group: visitors, ...version }, measure, count) {
      const beganAt = new Date(startOfPeriod(now())).toISOString();
      addRow({ ...version, beganAt, visitors, measure, count });
    },
    start(collect) {
      collectCounts = collect;
      timer = setInterval(() => void writeOnce(), writeInterval).unref();
    },
    async stop() {
      clearInterval(timer);
      // A write in progress does not include the counts since its start.
      await writing;
      await writeOnce();
    },
  };
}

/** Adds all rows, or none. */
async function addToReports(db: Kysely<Tables>, rows: readonly PageReportRow[]): Promise<void> {
  // Sorted by key, so that two instances cannot deadlock.
  const sorted = rows.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  await db.transaction().execute(async (transaction) => {
    for (let start = 0; start < sorted.length; start += batchSize) {
      await transaction
        .insertInto('pageReports')
        .values(sorted.slice(start, start + batchSize))
        .onConflict((conflict) =>
          conflict
            .columns(['beganAt', 'releaseId', 'part', 'version', 'visitors', 'measure'])
            .doUpdateSet((row) => ({ count: row('pageReports.count', '+', row.ref('excluded.count')) })),
        )
        .execute();
    }
  });
}

const keyOf = ({ beganAt, releaseId, part, version, visitors, measure }: PageReportRow) =>
  [beganAt, releaseId, part, version, visitors, measure].join(' ');
