import type { LeadAttribution } from '@countersign/contracts/lead-submission';
import { type PageReport, pageName } from '@countersign/contracts/page-report';
import type { Kysely } from 'kysely';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Tables } from '../database/tables.ts';
import type { Log } from '../platform/log.ts';
import { type LiveVersions, watchLiveVersions } from './live-versions.ts';
import { openReportCounts, type VersionLabels } from './report-counts.ts';

type ShownVersions = Pick<LeadAttribution, 'releaseId' | 'parts'>;

export type PageReports = ReturnType<typeof openPageReports>;

/** Upper bounds of the buckets in Prometheus: of web vitals in seconds, and of the layout shift, which has no unit. */
const secondBounds = [0.1, 0.2, 0.3, 0.5, 0.8, 1.2, 1.8, 2.5, 4, 6, 10];
const shiftBounds = [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1];

const labelNames = ['part', 'version', 'group'] as const;

/**
 * Counts what visitors saw of each version, from page reports and leads: in the database for `watch`, and in this process for Prometheus.
 * Disposal writes the rest of the counts.
 *
 * @param livePage URL or path of the page that names the versions
 */
export function openPageReports(livePage: string | undefined, db: Kysely<Tables>, log: Log) {
  const registry = new Registry();
  const live = watchLiveVersions(livePage, log);
  const stored = openReportCounts(db, log);
  const { views, failed, slow, leads, vitals, shifts } = createMetrics([registry], live);
  /** Leads that wait for the live page. */
  const pending = new Set<Promise<void>>();

  async function countLead(sent: string, parts: NonNullable<ShownVersions['parts']>): Promise<void> {
    const release = { part: pageName, version: sent };
    await live.refreshFor([release, ...parts]);
    const releaseId = live.nameOf(release);
    // Each version once, because a forged lead may repeat it.
    const once = new Map(parts.map((each) => [`${each.part} ${each.version}`, each]));
    for (const shown of [...once.values()].filter((each) => live.has(each))) {
      leads.inc(labelsOf({ ...shown, releaseId }));
      stored.add({ ...shown, releaseId }, 'leads');
    }
  }

  return {
    /** The metrics of page reports. */
    registry,
    whyDegraded: live.whyDegraded,
    /** Counts a report. May read the live page first, to learn unknown versions. */
    async count({ releaseId: reported, parts, vitals: reportedVitals }: PageReport): Promise<void> {
      const release = { part: pageName, version: reported };
      await live.refreshFor([release, ...parts]);
      const releaseId = live.nameOf(release);
      // Each measure once, because a forged report may repeat it.
      const once = new Map(parts.map((each) => [`${each.part} ${each.version} ${each.measure}`, each]));
      for (const { measure, cause = 'load', ...shown } of once.values()) {
        const labels = { ...shown, releaseId, version: live.nameOf(shown) };
        if (measure === 'viewed') views.inc(labelsOf(labels));
        if (measure === 'slow') slow.inc(labelsOf(labels));
        if (measure === 'failed') failed.inc({ ...labelsOf(labels), cause });
        stored.add(labels, { viewed: 'views', slow: 'slow', failed: `failed.${cause}` }[measure]);
      }
      for (const { name, value } of new Map(reportedVitals.map((each) => [each.name, each])).values()) {
        if (name === 'CLS') shifts.observe(value);
        else vitals.observe({ name }, value / 1_000);
      }
    },
    /** Counts a lead for each known version that its sender saw, in the background. An unknown release counts as `other`. */
    countLead({ releaseId = '', parts = [] }: ShownVersions): void {
      if (parts.length === 0) return;
      const counting = countLead(releaseId, parts).finally(() => pending.delete(counting));
      pending.add(counting);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await Promise.all(pending);
      await stored.stop();
      live.stop();
    },
  };
}

/** Labels in Prometheus. Without the release, because each would add time series. */
function labelsOf({ part, version, group }: VersionLabels) {
  return { part, version, group };
}

function createMetrics(registers: Registry[], live: Pick<LiveVersions, 'isReadable'>) {
  const counter = <Label extends string = never>(name: string, help: string, ...more: Label[]) =>
    new Counter({ name, help, labelNames: [...labelNames, ...more], registers });
  const readable: Gauge = new Gauge({
    name: 'site_live_page_up',
    help: '1 if the service knows which versions are live, 0 if not.',
    registers,
    collect: () => readable.set(live.isReadable() ? 1 : 0),
  });
  return {
    views: counter('site_part_views_total', 'Page views that showed a version, or should have.'),
    failed: counter('site_part_failed_total', 'Page views in which a version failed, by cause.', 'cause'),
    slow: counter(
      'site_part_slow_total',
      'Page views whose slowest press was on a version, and took over 0.5 s.',
    ),
    leads: counter('site_part_leads_total', 'Leads that are not in quarantine, whose senders saw a version.'),
    vitals: new Histogram({
      name: 'site_web_vital_seconds',
      help: 'Web vitals of a page view in seconds: FCP, INP, LCP, TTFB.',
      labelNames: ['name'],
      buckets: secondBounds,
      registers,
    }),
    shifts: new Histogram({
      name: 'site_layout_shift',
      help: 'Cumulative layout shift (CLS) of a page view.',
      buckets: shiftBounds,
      registers,
    }),
  };
}
