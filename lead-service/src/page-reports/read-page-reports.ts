import type { pageReportCounts, VersionCounts } from '@countersign/contracts/page-report';
import type { Kysely } from 'kysely';
import * as z from 'zod';
import type { Tables } from '../database/tables.ts';
import { dayOrTime } from '../platform/day-or-time.ts';

const day = 24 * 60 * 60_000;

/** By default, the periods of ten minutes that began in the last 24 hours. */
export const pageReportsQuery = z.object({
  since: dayOrTime('since').default(() => new Date(Date.now() - day).toISOString()),
});

/** The stored measure of a failure ends with its cause: `failed.load`. */
const failedPrefix = 'failed.';

/** The sums of all counts since a time. The column `visitors` has the group of visitors, `group` in the answer. */
export async function readPageReports(
  db: Kysely<Tables>,
  { since }: z.output<typeof pageReportsQuery>,
): Promise<z.output<typeof pageReportCounts>> {
  const columns = ['releaseId', 'part', 'version', 'visitors', 'measure'] as const;
  const rows = await db
    .selectFrom('pageReports')
    .select(({ fn }) => [...columns, fn.sum('count').as('count')])
    .where('beganAt', '>=', since)
    .groupBy(columns)
    .orderBy('releaseId')
    .orderBy('part')
    .orderBy('version')
    .orderBy('visitors')
    .execute();
  const versions = new Map<string, VersionCounts>();
  for (const { visitors: group, measure, count: sum, ...version } of rows) {
    const key = JSON.stringify([version, group]);
    const counts = versions.get(key) ?? { ...version, group, views: 0, failed: {}, slow: 0, leads: 0 };
    versions.set(key, counts);
    // PostgreSQL returns sums as strings.
    const count = Number(sum);
    if (measure.startsWith(failedPrefix)) counts.failed[measure.slice(failedPrefix.length)] = count;
    else if (measure === 'views' || measure === 'slow' || measure === 'leads') counts[measure] = count;
  }
  return { versions: [...versions.values()] };
}
