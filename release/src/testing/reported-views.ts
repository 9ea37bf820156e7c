import type { VersionCounts } from '@countersign/contracts/page-report';
import type { Counts } from '../canary/assess-canary.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { startStubService } from './stub-service.ts';

/** New page reports on mf-pricing: on the canary 1.1.0, and on the stable version 1.0.0. */
export interface AddedCounts {
  readonly canary?: Partial<Counts>;
  readonly stable?: Partial<Counts>;
}

const token = 'the token of a test';

/**
 * Starts a stub of the lead service, from which `watch` reads the counts of page reports. Each request first adds new reports from
 * pages of the live release. Disposing of it stops it.
 *
 * @param visit returns the new reports; gets the percentage of the live canary, or 0
 */
export async function startReportedViews(store: ReleaseStore, visit: (percent: number) => AddedCounts) {
  const versions: VersionCounts[] = [];
  const service = await startStubService(async (request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
    const release = (await store.readLive())?.release;
    const { releaseId = '' } = release ?? {};
    const added = visit(release?.remotes['mf-pricing']?.canary?.percent ?? 0);
    for (const [group, version] of [
      ['canary', '1.1.0'],
      ['stable', '1.0.0'],
    ] as const) {
      const { failed = 0, ...counts } = added[group] ?? {};
      const named = { releaseId, part: 'mf-pricing', version, group };
      versions.push({ ...named, views: 0, slow: 0, leads: 0, ...counts, failed: { load: failed } });
    }
    response.end(JSON.stringify({ versions }));
  });
  return {
    source: { url: service.origin, token },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
