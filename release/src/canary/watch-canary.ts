import { assertPercent } from '../deploy/change.ts';
import type { ResolveSiteConfig } from '../deploy/deploy-release.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { readStageEntries, readStageReports } from './stage-reports.ts';
import { StageWatch, type WatchOptions, type WatchOutcome } from './watch-stage.ts';
import { canaryIn, canaryVersions } from './watched-canary.ts';

/**
 * Reads the reports of visitors until they suffice to assess a canary. Rolls it back if it is worse than the stable
 * version. Otherwise raises it to the next stage and assesses it again, until it is promoted. The store and the lead service
 * have all that it knows, so that a watch that is started again continues. Throws a {@link ReleaseError} if the part has no canary, its first
 * reports cannot be read, or a change of it fails until the time is up.
 */
export async function watchCanary(
  store: ReleaseStore,
  resolveSiteConfig: ResolveSiteConfig,
  options: WatchOptions,
): Promise<WatchOutcome> {
  let watched = await openWatch(store, options);
  for (;;) {
    const result = await new StageWatch({ store, resolveSiteConfig, options, watched }).run();
    if ('outcome' in result) return result;
    watched = canaryIn(result.raisedTo, options.part);
    options.progress(`no worse than the stable version; raised to ${watched.percent} %`);
  }
}

/** The canary to watch. Throws a {@link ReleaseError} if it cannot be watched. */
async function openWatch(store: ReleaseStore, { part, stages, reports }: WatchOptions) {
  for (const each of stages) assertPercent(part, each);
  // A watch that was killed may have left its change without pages.
  await store.linkLivePages();
  const liveState = await store.liveStore.require();
  const watched = canaryIn(liveState.release, part);
  const { version, percent, states } = watched;
  if (percent <= 0 || percent >= 100) {
    throw new ReleaseError(
      `${part} ${version} is a canary for ${percent} % of visitors, so there are no two groups to compare. Change that: canary ${Object.entries(canaryVersions(watched)).flat().join(' ')} --percent 10.`,
    );
  }
  // Wrong settings are an error at once. Later failures of a read are repeated.
  for (const each of states.keys())
    await readStageReports(reports, each, await readStageEntries(store, liveState, each));
  return watched;
}
