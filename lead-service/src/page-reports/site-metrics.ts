import type { LeadAttribution } from '@countersign/contracts/lead-submission';
import { bucketName, pageName, secondBounds, shiftBounds } from '@countersign/contracts/page-reports';
import {
  slowInteraction,
  telemetryMetrics,
  type PartReport,
  type TelemetryReport,
  type VitalReport,
} from '@countersign/contracts/telemetry';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { OpenCounter } from '../rate-limit/counters.ts';
import { BegunViews } from './begun-views.ts';
import type { LiveVersions } from './live-versions.ts';
import { createPartMetrics } from './part-metrics.ts';
import type { ReportCounts, VersionLabels } from './report-counts.ts';

export interface SiteMetrics {
  /**
   * Counts a report. May read the live page first, to learn unknown versions.
   *
   * @param network hash of the sender's network
   */
  count(report: TelemetryReport, network: string): Promise<void>;
  /**
   * Counts a lead for each version that its sender saw, unless the network has sent one within an hour: a sender could
   * otherwise decide an experiment. Once for both groups, so that a big network keeps the canary's share.
   *
   * @param network hash of the sender's network
   */
  countLead(shown: ShownVersions, network: string): void;
  /** Counts the begun views that had time to settle. */
  collect(): Promise<void>;
}

/** The release and the versions that a page showed. */
type ShownVersions = Pick<LeadAttribution, 'releaseId' | 'parts'>;

/** Window in which a network counts once per version, in seconds. As long as a stage of a canary by default. */
const networkWindow = 3_600;

/**
 * @param stored receives each count
 * @param open opens the counters that find the first report of a network. Instances may share them
 */
export function createSiteMetrics(
  registers: Registry[],
  live: LiveVersions,
  stored: Pick<ReportCounts, 'add'>,
  open: OpenCounter,
  now: () => number = () => performance.now(),
): SiteMetrics {
  const parts = createPartMetrics(registers, stored, {
    begun: () => views.publishSettled(),
    // Read after the begun views, which find the networks.
    hungNetworks: () => views.counted(),
  });
  live.onForget((version) => parts.forget(version));
  const page = createPageMetrics(registers, live, stored);
  const isFirstOf = openNetworks(open);
  const views = createViews(parts, live, open, isFirstOf, now);

  return {
    async count({ releaseId: reported, parts: reports, vitals }, network) {
      const release = { part: pageName, version: reported };
      const shown = vitals.flatMap((vital) => vital.shown ?? []);
      await live.refreshFor([release, ...reports, ...shown]);
      const releaseId = live.nameOf(release);
      await Promise.all(
        withoutRepeats(reports).map(async (report) => {
          const labels = { releaseId, part: report.part, version: live.nameOf(report), group: report.group };
          await countPart(report, labels, network, { parts, views, isFirstOf });
        }),
      );
      for (const vital of new Map(vitals.map((report) => [report.name, report])).values()) {
        page.countVital(vital, { releaseId, part: pageName, version: releaseId, group: 'stable' });
        if (!vital.shown) continue;
        const labels = { ...vital.shown, releaseId, version: live.nameOf(vital.shown) };
        page.storeVital(vital, labels);
        if (vital.name !== 'INP') continue;
        parts.count('used', labels);
        if (vital.value <= slowInteraction) continue;
        parts.count('slow', labels);
        if (await isFirstOf('slow', keyOf(labels, network))) parts.count('slowNetworks', labels);
      }
    },
    countLead({ releaseId: sent = '', parts: shown = [] }, network) {
      const releaseId = live.nameOf({ part: pageName, version: sent });
      const counted = shown.map(async ({ part, version, group }) => {
        if (await isFirstOf('leads', `${network} ${part}`))
          parts.count('leads', { releaseId, part, version, group });
      });
      views.countLater(counted);
    },
    async collect() {
      views.publishSettled();
      await views.counted();
    },
  };
}

const keyOf = ({ part, version, group }: VersionLabels, network: string) =>
  [network, part, version, group].join(' ');

/** Opens counters of networks. Their function returns whether a report is the first with its key in the window. */
function openNetworks(open: OpenCounter) {
  const openFor = (of: string) => open(`networks-${of}`, networkWindow);
  const counters = {
    failures: openFor('failures'),
    late: openFor('late'),
    mismatches: openFor('mismatches'),
    hung: openFor('hung'),
    slow: openFor('slow'),
    leads: openFor('leads'),
  };
  return async (of: keyof typeof counters, key: string) => (await counters[of].add(key)).points === 1;
}

type IsFirstOf = ReturnType<typeof openNetworks>;
type PartMetrics = ReturnType<typeof createPartMetrics>;

/** Views from their beginning until they settle, or have hung. */
function createViews(
  parts: PartMetrics,
  live: LiveVersions,
  open: OpenCounter,
  isFirstOf: IsFirstOf,
  now: () => number,
) {
  /** Counts of networks that wait for the shared counters, which no answer waits for. */
  let counting: Promise<void> = Promise.resolve();
  const countLater = (counts: readonly Promise<void>[]) => {
    // Without the results, which would nest for ever.
    counting = Promise.all([counting, ...counts]).then(() => undefined);
  };
  /** Begun minus settled views by network and version. One window for both, so that they cannot drift apart. */
  const unsettled = open('views-begun', networkWindow);
  const begunViews = new BegunViews((began, count) => {
    // The version may have been forgotten since.
    const labels = { ...began, version: live.nameOf(began) };
    parts.count('begun', labels, count.begun);
    parts.count('settled', labels, count.settled);
    parts.count('hungNetworks', labels, 0);
    countLater(count.unsettled.map((key) => countHung(labels, key)));
  });

  async function countHung(labels: VersionLabels, key: string): Promise<void> {
    // Another instance may have settled the views that began here.
    if ((await unsettled.read(key)) > 0 && (await isFirstOf('hung', key)))
      parts.count('hungNetworks', labels);
  }

  /** Settles a begun view of the network if there is one. A network cannot settle the views of others, nor one twice. */
  async function trySettle(key: string): Promise<boolean> {
    if ((await unsettled.read(key)) <= 0) return false;
    if ((await unsettled.add(key, -1)).points >= 0) return true;
    // Another report was faster.
    await unsettled.add(key);
    return false;
  }

  return {
    countLater,
    /** Resolves when all networks so far are counted. */
    counted: () => counting,
    publishSettled: () => begunViews.publishSettled(now()),
    async begin(labels: VersionLabels, key: string): Promise<void> {
      await unsettled.add(key);
      begunViews.begin(labels, key, now());
    },
    async settle(labels: VersionLabels, key: string, sinceBegun: number): Promise<void> {
      if (await trySettle(key)) begunViews.settle(labels, key, sinceBegun, now());
    },
  };
}

interface Counts {
  readonly parts: PartMetrics;
  readonly views: ReturnType<typeof createViews>;
  readonly isFirstOf: IsFirstOf;
}

async function countPart(
  { outcome, cause = 'load', milliseconds, sinceBegun }: PartReport,
  labels: VersionLabels,
  network: string,
  { parts, views, isFirstOf }: Counts,
): Promise<void> {
  const key = keyOf(labels, network);
  const countNetwork = async (of: 'failures' | 'late' | 'mismatches') => {
    if (await isFirstOf(of, key)) parts.count(`${of}Networks`, labels);
  };
  if (outcome === 'begun') return views.begin(labels, key);
  if (sinceBegun !== undefined) await views.settle(labels, key, sinceBegun);
  if (outcome === 'left') return;
  if (outcome === 'late') {
    parts.count('late', labels);
    return countNetwork('late');
  }
  if (outcome === 'failed' && cause === 'mismatch') {
    parts.count('mismatches', labels);
    return countNetwork('mismatches');
  }
  // A version that throws has loaded before, so its view is already counted.
  if (outcome === 'loaded' || cause === 'load') parts.count('views', labels);
  if (outcome === 'failed') {
    parts.countFailure(labels, cause);
    return countNetwork('failures');
  }
  if (milliseconds !== undefined) parts.countLoad(labels, milliseconds / 1_000);
}

/** One report per version and outcome, so that a forged report cannot count or settle a view more than once. */
function withoutRepeats(reports: readonly PartReport[]): readonly PartReport[] {
  const once = new Map<string, PartReport>();
  const settledParts = new Set<string>();
  for (const { sinceBegun, ...report } of reports) {
    const version = `${report.part} ${report.version}`;
    const isMismatch = report.cause === 'mismatch';
    const settles = sinceBegun !== undefined && !settledParts.has(version);
    if (settles) settledParts.add(version);
    once.set(`${version} ${report.outcome} ${isMismatch}`, settles ? { ...report, sinceBegun } : report);
  }
  return [...once.values()];
}

function createPageMetrics(registers: Registry[], live: LiveVersions, stored: Pick<ReportCounts, 'add'>) {
  const readable: Gauge = new Gauge({
    name: telemetryMetrics.livePageUp,
    help: '1 if the service knows which versions are live, 0 if not.',
    registers,
    collect: () => readable.set(live.isReadable() ? 1 : 0),
  });
  const vitals = new Histogram({
    name: telemetryMetrics.webVital,
    help: 'Web vitals in seconds: FCP, INP, LCP, TTFB.',
    labelNames: ['name'] as const,
    buckets: [...secondBounds],
    registers,
  });
  const shifts = new Histogram({
    name: telemetryMetrics.layoutShift,
    help: 'Cumulative layout shift (CLS) of a page view.',
    buckets: [...shiftBounds],
    registers,
  });
  const storeVital = ({ name, value }: VitalReport, labels: VersionLabels) => {
    const bucket =
      name === 'CLS' ? bucketName(name, value, shiftBounds) : bucketName(name, value / 1_000, secondBounds);
    stored.add(labels, bucket, 1);
  };
  return {
    storeVital,
    countVital(vital: VitalReport, labels: VersionLabels): void {
      if (vital.name === 'CLS') shifts.observe(vital.value);
      else vitals.observe({ name: vital.name }, vital.value / 1_000);
      storeVital(vital, labels);
    },
  };
}
