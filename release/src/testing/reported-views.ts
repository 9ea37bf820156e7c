import { startOfPeriod, type PageReportCounts } from '@countersign/contracts/page-reports';
import type { ReportsSource } from '../canary/page-reports.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { startStubService } from './stub-service.ts';

type Counts = PageReportCounts['counts'];

/** Counts of mf-pricing that are added: of the canary 1.1.0, and of the stable version 1.0.0. */
export interface AddedCounts {
  readonly canary?: Counts;
  readonly stable?: Counts;
}

/** A lead service that has counted page reports on mf-pricing. Disposing of it stops it. */
export interface ReportedViews extends AsyncDisposable {
  readonly source: ReportsSource;
}

const token = 'the token of a test';

/**
 * Starts the service. Each time it is read, it first counts reports from pages of the live release.
 *
 * @param visit returns what is counted, at the percentage of the live canary
 */
export async function startReportedViews(
  store: ReleaseStore,
  visit: (percent: number) => AddedCounts,
): Promise<ReportedViews> {
  const reports = new Map<string, PageReportCounts>();
  async function count(): Promise<void> {
    const release = (await store.readLive())?.release;
    const { releaseId = '' } = release ?? {};
    const added = visit(release?.remotes['mf-pricing']?.canary?.percent ?? 0);
    for (const [group, version] of [
      ['canary', '1.1.0'],
      ['stable', '1.0.0'],
    ] as const) {
      const more = added[group];
      if (!more) continue;
      const key = `${releaseId} ${group}`;
      const counts = { ...reports.get(key)?.counts };
      for (const [name, points] of Object.entries(more)) counts[name] = (counts[name] ?? 0) + points;
      const beganAt = new Date(startOfPeriod(Date.now())).toISOString();
      reports.set(key, { beganAt, releaseId, part: 'mf-pricing', version, group, counts });
    }
  }
  const service = await startStubService((request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
    void count().then(() => response.end(JSON.stringify({ reports: [...reports.values()] })));
  });
  return {
    source: { url: service.origin, token },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** Views that all report their outcome. Each failed one has a network of its own. */
export function soundViews(views: number, failures = 0): Counts {
  return {
    ...{ views, begun: views, settled: views },
    ...{ 'failures.event': failures, failuresNetworks: failures },
  };
}
