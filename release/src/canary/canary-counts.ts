import { otherVersion, type PageReportCounts } from '@countersign/contracts/page-reports';
import { failureCauses } from '@countersign/contracts/telemetry';
import type { CanarySnapshot } from '../deploy/canary-snapshot.ts';
import type { Comparison, ReportedCount } from './assess-canary.ts';
import type { LeadComparison } from './assess-leads.ts';

/** The counts of a canary beside those of the stable version, for each measure. */
export interface Comparisons {
  /** Views that reported, and those in which the version failed to load or threw an error. */
  readonly failed: Comparison;
  /**
   * Views that began to load, and those that never reported an outcome. A visitor who closes the page early counts as hung in
   * both groups, unless the page still reports it.
   */
  readonly hung: Comparison;
  /** Views that reported, and those in which the version loaded slowly. Late is not failed: the markup is readable meanwhile. */
  readonly late: Comparison;
  /** Views that reported, and those with a hydration mismatch. Not failed, because visitors see the whole part. */
  readonly rerendered: Comparison;
  /** Views whose slowest interaction was with the version, and those in which it was slow. Few visitors use a part. */
  readonly slow: Comparison;
  readonly leads: LeadComparison;
}

/** Adds up the counts of a canary, and those of the stable version in the group of the other visitors. */
export function compareGroups(
  reports: readonly PageReportCounts[],
  { version, live }: CanarySnapshot,
): Comparisons {
  const counts = {
    canary: sumCounts(reports, version, 'canary'),
    stable: sumCounts(reports, live, 'stable'),
  };
  const compare = (count: (group: keyof Comparison) => ReportedCount): Comparison => ({
    canary: count('canary'),
    stable: count('stable'),
  });
  const countReported = (measure: 'failures' | 'late' | 'mismatches') =>
    compare((group) => {
      const { views, [measure]: failures, [`${measure}Networks` as const]: networks } = counts[group];
      // Failures can exceed views, because a view is counted only after it has loaded or failed.
      return { views: Math.max(views, failures), failures, networks };
    });
  return {
    failed: countReported('failures'),
    hung: compare((group) => {
      const { begun: views, settled, hungNetworks: networks } = counts[group];
      // `settled` can exceed `begun`, because a view that settles late is counted immediately.
      return { views, failures: Math.max(0, views - settled), networks };
    }),
    late: countReported('late'),
    rerendered: countReported('mismatches'),
    slow: compare((group) => {
      const { used: views, slow: failures, slowNetworks: networks } = counts[group];
      return { views, failures, networks };
    }),
    leads: { canary: counts.canary, stable: counts.stable },
  };
}

function sumCounts(reports: readonly PageReportCounts[], version: string, group: keyof Comparison) {
  const own = reports.filter((report) => report.version === version && report.group === group);
  const sum = (...names: readonly string[]) =>
    own.reduce((total, { counts }) => names.reduce((all, name) => all + (counts[name] ?? 0), total), 0);
  return {
    views: sum('views'),
    leads: sum('leads'),
    failures: sum(...failureCauses.map((cause) => `failures.${cause}`)),
    failuresNetworks: sum('failuresNetworks'),
    late: sum('late'),
    lateNetworks: sum('lateNetworks'),
    mismatches: sum('mismatches'),
    mismatchesNetworks: sum('mismatchesNetworks'),
    used: sum('used'),
    slow: sum('slow'),
    slowNetworks: sum('slowNetworks'),
    begun: sum('begun'),
    settled: sum('settled'),
    hungNetworks: sum('hungNetworks'),
  };
}

/** Whether all reports count without a version, because the lead service cannot read the live page. */
export function lacksVersions(reports: readonly PageReportCounts[]): boolean {
  return reports.length > 0 && reports.every(({ version }) => version === otherVersion);
}
