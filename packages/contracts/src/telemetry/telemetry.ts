import * as z from 'zod/mini';
import { partVersionName } from '../release/part-manifest.ts';
import { partNames } from '../page/remotes.ts';

/** Maximum size of a report, in bytes. */
export const telemetryLimit = 8 * 1024;

/** Variant that a visitor got. */
export const canaryGroups = ['stable', 'canary'] as const;
export type CanaryGroup = (typeof canaryGroups)[number];

/** Cause of a failure, or `mismatch`, which is none. */
export const failureCauses = [
  /** A file could not be loaded, failed its integrity check, or exports no component. */
  'load',
  /** An exception during rendering, initially or later. */
  'render',
  /** An exception outside of rendering. The slot keeps its content. */
  'event',
  /**
   * A hydration mismatch: React has replaced the prerendered markup by the client rendering. Reported only if the
   * markup was that of the release, because translators and browser extensions change markup as well.
   */
  'mismatch',
] as const;
export type FailureCause = (typeof failureCauses)[number];

/**
 * Maximum time between a load start and its outcome in reports, in milliseconds: loading plus the delay of
 * beacons. A view without an outcome after that time hangs, has crashed, or has lost its report.
 */
export const settlingTime = 30_000;

/** Duration from which an interaction is slow, in milliseconds (INP "needs improvement", web.dev/inp). */
export const slowInteraction = 200;

/** A version of a part that a page showed, and the visitor's group for this part. */
export const shownPart = z.object({
  part: z.enum(partNames),
  version: partVersionName,
  group: z.enum(canaryGroups),
});

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

/** Outcome of one version of one part in one page view. */
const partReport = z.extend(shownPart, {
  /**
   * `begun`: loading has started. Reported only for parts with a canary, in a beacon that is sent before any code
   * of the part can run, so that a version that hangs the tab is counted. `late`: loading exceeds the
   * threshold; the version may still load or fail. `left`: the page was hidden or unloaded before the load
   * completed, or the visitor has reported this failure within the hour.
   */
  outcome: z.enum(['begun', 'loaded', 'late', 'failed', 'left']),
  /** Only with `failed`. */
  cause: z.optional(z.enum(failureCauses)),
  /** Load time in milliseconds. Only with `loaded`. */
  milliseconds: z.optional(z.number().check(z.gte(0), z.lte(600_000))),
  /** Time since the `begun` report, in milliseconds. Only in the first report after it. */
  sinceBegun: z.optional(z.number().check(z.gte(0), z.lte(600_000))),
});
export type PartReport = z.infer<typeof partReport>;

/** A web vital, in milliseconds; CLS has no unit. */
const vitalReport = z.object({
  name: z.enum(['CLS', 'FCP', 'INP', 'LCP', 'TTFB']),
  value: z.number().check(z.gte(0), z.lte(600_000)),
  /** The version in whose slot it happened: the slowest interaction, the largest element, or the largest shift. */
  shown: z.optional(shownPart),
});
export type VitalReport = z.infer<typeof vitalReport>;

/** Body of `POST /api/telemetry`. Contains no personal data: no address, no identifier, no input. */
export const telemetryReport = z.object({
  releaseId: z.string().check(z.regex(/^r-[0-9a-f]{12}$/)),
  parts: validEntries(partReport, 64),
  vitals: validEntries(vitalReport, 16),
});
export type TelemetryReport = z.infer<typeof telemetryReport>;

/**
 * Metrics derived from reports, with the labels `part`, `version` and `group`. A view of a version is a page
 * view in which it loaded or should have loaded. A failure is a view in which it failed, with the additional
 * label `cause`. Each `…Networks` counts the distinct networks (/24 of IPv4, /64 of IPv6) within an hour that
 * reported what its namesake counts, because a single sender can forge any number of reports.
 */
export const telemetryMetrics = {
  views: 'site_part_views_total',
  failures: 'site_part_failures_total',
  failuresNetworks: 'site_part_failures_networks_total',
  /** Views whose slowest interaction was with a version, and those of them in which it took longer than {@link slowInteraction}. */
  used: 'site_part_used_total',
  slow: 'site_part_slow_total',
  slowNetworks: 'site_part_slow_networks_total',
  /** Views with a hydration mismatch. Not among the failures, because the visitor sees the whole part. */
  mismatches: 'site_part_mismatches_total',
  mismatchesNetworks: 'site_part_mismatches_networks_total',
  /** Views in which loading exceeded the threshold, whatever the outcome. */
  late: 'site_part_late_total',
  lateNetworks: 'site_part_late_networks_total',
  /**
   * Views in which a part with a canary started to load, and those of them with a reported outcome. Both count
   * a view only after {@link settlingTime}, so the difference is the number of views that hang. A network
   * settles at most as many views as it began.
   */
  begun: 'site_part_begun_total',
  settled: 'site_part_settled_total',
  /** Distinct networks within an hour with a view that hangs. */
  hungNetworks: 'site_part_hung_networks_total',
  /** Leads that are not in quarantine, whose senders saw a version. Those of one network count once within an hour. */
  leads: 'site_part_leads_total',
  /** Histogram of load times in seconds. */
  loadTime: 'site_part_load_seconds',
  /** Histogram of the web vitals in seconds, with the label `name` only: FCP, INP, LCP, TTFB. */
  webVital: 'site_web_vital_seconds',
  /** Histogram of the cumulative layout shift, without labels. */
  layoutShift: 'site_layout_shift',
  /** Without labels: 1 if the service knows the live versions. If it is 0, all versions count as `other`. */
  livePageUp: 'site_live_page_up',
} as const;
