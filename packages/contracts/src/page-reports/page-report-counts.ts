import * as z from 'zod/mini';
import { canaryGroups } from './page-report.ts';

/** Path of the counts of page reports (`GET`), relative to the origin of the lead service's admin API. */
export const pageReportCountsPath = '/admin/api/page-reports';

/** Time that a stored count covers, in milliseconds. */
export const periodLength = 10 * 60_000;

/** Part name of the page itself among the versions that are known. Its versions are the IDs of releases. */
export const pageName = 'page';

/** Stands for all versions and releases that the live page has not named. */
export const otherVersion = 'other';

const count = z.int().check(z.gte(0));

/** Counts of the page views with one version of a part, in one group of visitors of one release. */
const versionCounts = z.object({
  releaseId: z.string().check(z.describe(`The release of the page; \`${otherVersion}\` as for versions.`)),
  part: z.string(),
  version: z
    .string()
    .check(z.describe(`\`${otherVersion}\` for all versions that the live page has not named.`)),
  group: z.enum(canaryGroups),
  views: count,
  failed: z.record(z.string(), count).check(z.describe('Views in which the version failed, by cause.')),
  slow: count.check(z.describe('Views whose slowest press was on the version, and took over 0.5 s.')),
  leads: count.check(z.describe('Leads that are not in quarantine, whose senders saw the version.')),
});
export type VersionCounts = z.infer<typeof versionCounts>;

/** Response of `GET` {@link pageReportCountsPath}: the counts of all periods that began at a time or later. */
export const pageReportCounts = z.object({ versions: z.array(versionCounts) });
