import type { TestContext } from 'node:test';
import { otherVersion, type VersionCounts } from '@countersign/contracts/page-report';
import { passedSetNames } from '../check/planned-pages.ts';
import type { Counts } from '../canary/assess-canary.ts';
import { compatibleRemote, compatibleShell } from './compatible-part.ts';
import { createSiteOf, sampleSiteConfig, type TemporaryStore } from './temporary-store.ts';
import { withLiveOnly } from '../store/versions.ts';
import { watchCanary } from '../canary/watch-canary.ts';
import type { WatchOptions } from '../canary/watch-stage.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { startStubService } from './stub-service.ts';

const part = 'mf-pricing';

/** New page reports on mf-pricing and other parts with a canary: on the canary 1.1.0, and on the stable version 1.0.0. */
export interface AddedCounts {
  readonly canary?: Partial<Counts>;
  readonly stable?: Partial<Counts>;
  /** A part whose versions the service does not know at this request. */
  readonly unknown?: string;
}

const token = 'the token of a test';

/**
 * Starts a stub of the lead service, from which `watch` reads the counts of page reports. Each request first adds new reports from
 * pages of the live release. Disposing of it stops it.
 *
 * @param visit returns the new reports; gets the percentage of the live canary, or 0
 * @param fails whether a request fails
 */
export async function startReportedViews(
  store: ReleaseStore,
  visit: (percent: number) => AddedCounts,
  fails = () => false,
) {
  const versions: VersionCounts[] = [];
  const service = await startStubService(async (request, response) => {
    if (fails()) return void response.writeHead(503).end();
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
    const release = (await store.liveStore.read())?.release;
    const { releaseId = '' } = release ?? {};
    const added = visit(release?.remotes[part]?.canary?.percent ?? 0);
    for (const [group, version] of [
      ['canary', '1.1.0'],
      ['stable', '1.0.0'],
    ] as const) {
      const { failed = 0, ...counts } = added[group] ?? {};
      const canaries = Object.entries(release?.remotes ?? {}).filter(([, { canary }]) => canary);
      for (const name of new Set([part, ...canaries.map(([remote]) => remote)])) {
        // Only mf-pricing fails.
        const load = name === part ? failed : 0;
        const named = { releaseId, part: name, version, group };
        versions.push({ ...named, views: 0, slow: 0, leads: 0, ...counts, failed: { load } });
      }
    }
    const known = versions.map((counts) =>
      counts.part === added.unknown ? { ...counts, version: otherVersion } : counts,
    );
    response.end(JSON.stringify({ versions: known }));
  });
  return {
    source: { url: service.origin, token },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** A store in which 1.1.0 of mf-pricing is a canary beside 1.0.0. */
export async function createSiteWithCanary(percent: number): Promise<TemporaryStore> {
  const site = await createSiteOf(compatibleShell('1.0.0'), compatibleRemote(part, '1.0.0'));
  await site.publish(compatibleRemote(part, '1.1.0'));
  await site.change({ kind: 'canary', versions: { [part]: '1.1.0' }, percent });
  return site;
}

/**
 * Each read adds 20 views of the canary, of which the given share fails, and their part of the other visitors. The first two reads only
 * try the service and tell how many views are needed.
 */
export const growingReports = (share: number) => (): AddedCounts => ({
  canary: { views: 20, failed: 20 * share },
  stable: { views: 180 },
});

/** Between two reads come 1,000 visitors, of whom the live percentage gets the canary. */
export const visitors =
  (failureRate: (percent: number) => number = () => 0) =>
  (percent: number): AddedCounts => ({
    canary: { views: 10 * percent, failed: 10 * percent * failureRate(percent) },
    stable: { views: 1_000 - 10 * percent },
  });

/** Returns a function that lets time pass for the watch. */
export function passTime(context: TestContext): (milliseconds: number) => void {
  const now = performance.now.bind(performance);
  let passed = 0;
  context.mock.method(performance, 'now', () => now() + passed);
  return (milliseconds) => void (passed += milliseconds);
}

export const remoteOf = async (site: TemporaryStore) =>
  (await site.store.liveStore.read())?.release.remotes[part];

/** The changes in the history: the action, and the versions after it. */
export const recordedChanges = async (site: TemporaryStore) =>
  (await site.history()).map(({ action, to }) => `${action}: ${to}`);

/** The change in {@link recordedChanges} that gives the canary to a share of visitors. */
export const canaryAt = (percent: number) => `canary: 1.0.0, 1.1.0 for ${percent} %`;

/** Notes that the page was opened with a version, so that no browser opens it. */
export async function noteAsPassed(site: TemporaryStore, version: string): Promise<void> {
  const { release, siteConfig } = await site.store.liveStore.require();
  const remotes = new Map([[part, version]] as const);
  const set = { part, remotes, pictured: [part], shown: withLiveOnly(release, remotes) } as const;
  await site.store.checkCache.addPassedSet(passedSetNames({ liveRelease: release, siteConfig }, set).full);
}

/** Watches the canary, by default without leads and failures, and without stages. */
export async function watch(
  site: TemporaryStore,
  visit: (percent: number) => AddedCounts,
  options: Partial<WatchOptions> = {},
) {
  await using reports = await startReportedViews(site.store, visit);
  return await watchCanary(site.store, () => sampleSiteConfig, {
    part,
    reports: reports.source,
    stages: [],
    minimumViews: 50,
    loss: 100,
    without: ['leads', 'failed'],
    interval: 1,
    timeout: 60_000,
    releaser: 'a test',
    check: async () => [],
    stopping: new AbortController().signal,
    progress: () => undefined,
    ...options,
  });
}
