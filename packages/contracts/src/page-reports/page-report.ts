import * as z from 'zod/mini';
import { partVersionName } from '../release/part-manifest.ts';
import { partNames } from '../page/remotes.ts';

/** Maximum size of a report, in bytes. */
export const pageReportLimit = 8 * 1024;

/** Group of a visitor, while a part has a canary. */
export const canaryGroups = ['stable', 'canary'] as const;
export type CanaryGroup = (typeof canaryGroups)[number];

export const failureCauses = [
  /** A file could not be loaded, failed its integrity check, or exports no component. */
  'load',
  /** The part was not loaded and hydrated in time. It may still be. */
  'late',
  /** An exception during rendering, initially or later. */
  'render',
  /** An exception outside of rendering, or one from which React recovered by rendering again. The slot keeps its content. */
  'event',
  /**
   * A hydration mismatch: React has replaced the prerendered markup by the client rendering. Reported only if the
   * markup was that of the release, because translators and browser extensions change markup as well.
   */
  'mismatch',
] as const;
export type FailureCause = (typeof failureCauses)[number];

/** A version of a part that a page showed, and the visitor's group for this part. */
export const shownVersion = z.object({
  part: z.enum(partNames),
  version: partVersionName,
  group: z.enum(canaryGroups),
});
export type ShownVersion = z.infer<typeof shownVersion>;

/** A list without its malformed entries, such as those of an unknown part, and without all beyond `maxLength`. */
export function validEntries<Entry extends z.ZodMiniType>(entry: Entry, maxLength: number) {
  return z.pipe(
    z.transform((sent: unknown) =>
      Array.isArray(sent)
        ? sent.slice(0, maxLength).filter((each) => z.safeParse(entry, each).success)
        : sent,
    ),
    z.array(entry),
  );
}

/** What one page view says about one version of a part. Each measure counts once per view. */
const partReport = z.extend(shownVersion, {
  /**
   * `viewed`: the version was shown, or should have been. `failed`: see {@link failureCauses}. `slow`: the slowest press of the view was
   * on it, and took over half a second until the page changed. The third yes/no measure, whether a lead was sent, is counted by the
   * lead service.
   */
  measure: z.enum(['viewed', 'failed', 'slow']),
  /** Only with `failed`. */
  cause: z.optional(z.enum(failureCauses)),
});
export type PartReport = z.infer<typeof partReport>;

/** A web vital of the page, in milliseconds; CLS has no unit. */
const vitalReport = z.object({
  name: z.enum(['CLS', 'FCP', 'INP', 'LCP', 'TTFB']),
  value: z.number().check(z.gte(0), z.lte(600_000)),
});
export type VitalReport = z.infer<typeof vitalReport>;

/** A release ID: the first digits of the hash of its pages. */
export const releaseIdPattern = /^r-[0-9a-f]{12}$/;

/** Report of a page view. Contains no personal data: no address, no identifier, no input. */
export const pageReport = z.object({
  releaseId: z.string().check(z.regex(releaseIdPattern)),
  parts: validEntries(partReport, 64),
  vitals: validEntries(vitalReport, 16),
});
export type PageReport = z.infer<typeof pageReport>;

/** Path of the counts of page reports (`GET`), relative to the origin of the lead service's admin API. */
export const pageReportCountsPath = '/admin/api/page-reports';

/** Time that a stored count covers, in milliseconds. */
export const periodLength = 10 * 60_000;

/** In the lead service, a release of the page counts as a version of this part: its version is the `releaseId`. */
export const pageName = 'page';

/** Stands for all versions and releases that the live page has not named, so that forged reports cannot add versions to the counts. */
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
