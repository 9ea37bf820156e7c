import * as z from 'zod/mini';
import { canaryGroups } from './telemetry.ts';

/** Path of the counts of page reports (`GET`), relative to the origin of the lead service's admin API. */
export const pageReportsPath = '/admin/api/page-reports';

/** Time that a count covers, in milliseconds. */
export const periodLength = 10 * 60_000;

/** Start of the period of a time, both in milliseconds since the epoch. */
export function startOfPeriod(time: number): number {
  return Math.floor(time / periodLength) * periodLength;
}

/** Part name of the page itself in counts. Its versions are the IDs of releases. */
export const pageName = 'page';

/** Stands for all versions and releases that the live page has not named. */
export const otherVersion = 'other';

/** Upper bounds of load times and web vitals in counts, in seconds. What is longer counts as `longer`. */
export const secondBounds = [0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 1.8, 2.5, 4, 6, 10] as const;

/** Upper bounds of the cumulative layout shift in counts. */
export const shiftBounds = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1] as const;

/** Name of a count of values up to a bound: `loads.0.5`. Values up to a lower bound have counts of their own. */
export function bucketName(measure: string, value: number, bounds: readonly number[]): string {
  return `${measure}.${bounds.find((bound) => value <= bound) ?? 'longer'}`;
}

/** Counts of the reports on one version of a part, in one group of visitors of one release. */
export const pageReportCounts = z.object({
  beganAt: z.iso.datetime().check(z.describe('Start of the period.')),
  releaseId: z.string().check(z.describe(`The release of the page; \`${otherVersion}\` as for versions.`)),
  part: z.string(),
  version: z
    .string()
    .check(z.describe(`\`${otherVersion}\` for all versions that the live page has not named.`)),
  group: z.enum(canaryGroups),
  counts: z
    .record(z.string(), z.int().check(z.gte(0)))
    .check(
      z.describe(
        '`views`, `late`, `mismatches`, `begun`, `settled`, `used` and `slow` are page views; `failures.load`, `failures.render` and `failures.event` those that failed, by cause; `loads.0.5` those that loaded in at most 0.5 s, but not within the next lower bound; `LCP.2.5` the web vitals of the part `page`, or of the part in which they happened, in the same way; `…Networks` distinct networks within an hour; `leads` those that sent a lead which is not in quarantine. What is 0 is missing.',
      ),
    ),
});
export type PageReportCounts = z.infer<typeof pageReportCounts>;

/** Response of `GET` {@link pageReportsPath}. */
export const pageReports = z.object({ reports: z.array(pageReportCounts) });
