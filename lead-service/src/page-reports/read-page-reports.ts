import type { pageReportCounts } from '@countersign/contracts/page-report';
import type { Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { Tables } from '../database/tables.ts';
import { time } from '../lead-admin/lead-filter.ts';

const day = 24 * 60 * 60_000;

/** By default, the periods of the last 24 hours. */
export const pageReportsQuery = z.object({
  since: z.pipe(
    time('since'),
    z.transform((since) => since ?? new Date(Date.now() - day).toISOString()),
  ),
});

const failedPrefix = 'failed.';

/** The sums of all counts since a time. */
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
  const byVersion = Map.groupBy(rows, (row) =>
    [row.releaseId, row.part, row.version, row.visitors].join(' '),
  );
  const versions = [...byVersion.values()].flatMap((measured) => {
    const [first] = measured;
    if (first === undefined) return [];
    const { releaseId, part, version, visitors: group } = first;
    // PostgreSQL returns sums as strings.
    const counts = new Map(measured.map(({ measure, count }) => [measure, Number(count)]));
    const failed = [...counts].filter(([measure]) => measure.startsWith(failedPrefix));
    return [
      {
        ...{ releaseId, part, version, group },
        views: counts.get('views') ?? 0,
        failed: Object.fromEntries(failed.map(([name, count]) => [name.slice(failedPrefix.length), count])),
        slow: counts.get('slow') ?? 0,
        leads: counts.get('leads') ?? 0,
      },
    ];
  });
  return { versions };
}
