import type { pageReports } from '@countersign/contracts/page-reports';
import { sql, type Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { Tables } from '../database/tables.ts';
import { choice, time } from '../lead-admin/lead-filter.ts';

/** Length of the text that all times of a period begin with: `2026-11-24T06:2` and `2026-11-24`. */
const prefixLength = { 'ten-minutes': 15, day: 10 } as const;
type Period = keyof typeof prefixLength;

const day = 24 * 60 * 60_000;

export const pageReportsQuery = z.object({
  since: z.pipe(
    time('since', 'Periods that begin at this time or later. By default, those of the last 24 hours.'),
    z.transform((since) => since ?? new Date(Date.now() - day).toISOString()),
  ),
  until: time('until', 'Periods that begin before this time.'),
  period: z.pipe(
    choice('period', Object.keys(prefixLength) as [Period, ...Period[]]),
    z.transform((period) => period ?? 'ten-minutes'),
  ),
});
type PageReportsQuery = z.output<typeof pageReportsQuery>;

/** The counts of page reports by period and version, the oldest period first. */
export async function readPageReports(
  db: Kysely<Tables>,
  { since, until, period }: PageReportsQuery,
): Promise<z.output<typeof pageReports>> {
  const prefix = sql<string>`substr(began_at, 1, ${sql.lit(prefixLength[period])})`;
  const rows = await db
    .selectFrom('pageReports')
    .select(({ fn }) => [
      prefix.as('prefix'),
      'releaseId',
      'part',
      'version',
      'visitors',
      'measure',
      fn.sum('count').as('count'),
    ])
    .where(({ and, eb }) =>
      and([eb('beganAt', '>=', since), ...(until === undefined ? [] : [eb('beganAt', '<', until)])]),
    )
    .groupBy([prefix, 'releaseId', 'part', 'version', 'visitors', 'measure'])
    .orderBy('prefix')
    .orderBy('releaseId')
    .orderBy('part')
    .orderBy('version')
    .orderBy('visitors')
    .orderBy('measure')
    .execute();
  const byVersion = Map.groupBy(rows, (row) =>
    [row.prefix, row.releaseId, row.part, row.version, row.visitors].join(' '),
  );
  return {
    reports: [...byVersion.values()].flatMap((measured) => {
      const [first] = measured;
      if (first === undefined) return [];
      const { releaseId, part, version, visitors: group } = first;
      // Completes the prefix to the start of the period.
      const beganAt = `${first.prefix}${'1970-01-01T00:00:00.000Z'.slice(first.prefix.length)}`;
      // PostgreSQL returns sums as strings.
      const counts = Object.fromEntries(measured.map((row) => [row.measure, Number(row.count)]));
      return [{ beganAt, releaseId, part, version, group, counts }];
    }),
  };
}
