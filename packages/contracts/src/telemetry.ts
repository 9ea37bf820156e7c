import * as z from 'zod/mini';
import { partVersionName } from './part-manifest.ts';
import { partNames } from './remotes.ts';

/** Longest report that is taken, in bytes. */
export const telemetryLimit = 8 * 1024;

/** Whether a visitor got a version because everybody does, or as one of a share of visitors. */
export const canaryGroups = ['stable', 'canary'] as const;
export type CanaryGroup = (typeof canaryGroups)[number];

/** Why a version was given up. */
export const failureCauses = [
  /** A file could not be had, was not what it should be, or held no component. */
  'load',
  /** It threw while it rendered, at first or later. */
  'render',
  /** It threw outside of rendering, or called the page with a wrong argument: what it shows stayed. */
  'event',
] as const;
export type FailureCause = (typeof failureCauses)[number];

/**
 * How long after the load of a version began a view may take to report what became of it, in milliseconds: loading, and
 * gathering reports. A view that is silent for longer hangs, has crashed or has lost its report.
 */
export const settlingTime = 30_000;

/** What became of one version of one part in one view of the page. */
const partReport = z.object({
  part: z.enum(partNames),
  version: partVersionName.check(z.maxLength(64)),
  group: z.enum(canaryGroups),
  /**
   * `begun`: its load has begun. Reported of parts that have a canary, on its own and before any code of the part can run,
   * so that a version that hangs the tab has been reported. `late`: it takes long to load; the markup stands meanwhile, and it
   * may still load or fail. `left`: the page was left or hidden before the load ended.
   */
  outcome: z.enum(['begun', 'loaded', 'late', 'failed', 'left']),
  /** Only where it failed. */
  cause: z.optional(z.enum(failureCauses)),
  /** From asking for it to having it, in milliseconds. Only where it loaded. */
  milliseconds: z.optional(z.number().check(z.gte(0), z.lte(600_000))),
  /** Age of the `begun` that this report settles, in milliseconds. Only the first report after it has one. */
  sinceBegun: z.optional(z.number().check(z.gte(0), z.lte(600_000))),
});
export type PartReport = z.infer<typeof partReport>;

/** A measure of how the page felt: milliseconds, except CLS, which has no unit. */
const vitalReport = z.object({
  name: z.enum(['CLS', 'FCP', 'INP', 'LCP', 'TTFB']),
  value: z.number().check(z.gte(0), z.lte(600_000)),
});
export type VitalReport = z.infer<typeof vitalReport>;

/** Body of `POST /api/telemetry`. Holds nothing about the person: no address, no identifier, nothing typed. */
export const telemetryReport = z.object({
  releaseId: z.string().check(z.regex(/^r-[0-9a-f]{12}$/)),
  parts: z.array(partReport).check(z.maxLength(64)),
  vitals: z.array(vitalReport).check(z.maxLength(16)),
});
export type TelemetryReport = z.infer<typeof telemetryReport>;

/**
 * Metrics that the service makes of the reports, with the labels `part`, `version` and `group`. A view of a version is
 * a view of the page in which it loaded, or should have; a failure is a view in which it was given up or threw, with
 * the label `cause` as well.
 */
export const telemetryMetrics = {
  views: 'site_part_views_total',
  failures: 'site_part_failures_total',
  /** Views in which it took long to load, whatever became of it. */
  late: 'site_part_late_total',
  /**
   * Views in which the load of a part with a canary began, and those of them that reported what became of it. Both count a
   * view only after {@link settlingTime}, so the difference is the views that hang, without those that still load.
   */
  begun: 'site_part_begun_total',
  settled: 'site_part_settled_total',
  /** Without labels: 1 if the service knows which versions are live. If it is 0, versions count as `other`. */
  livePageUp: 'site_live_page_up',
} as const;
