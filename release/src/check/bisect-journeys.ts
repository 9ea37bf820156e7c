import type { BrowserLocation } from '@countersign/browser/find-browser';
import { versionsIn } from '@countersign/contracts/release-versions';
import type { PartName } from '@countersign/contracts/remotes';
import { contentWithOnly } from '../deploy/change.ts';
import { changedParts } from '../store/stored-documents.ts';
import { nameVersions, versionsByPart, withLiveOnly, type Versions } from '../store/versions.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { readJourneys } from '../store/stored-version.ts';
import { composeSite } from './browser/site-reader.ts';
import { openBrowser } from './browser/open-browser.ts';
import { findCulprit } from './find-culprit.ts';
import { runJourneys, type JourneyResults } from './journeys/run-journeys.ts';

/** A journey that the live page breaks, and what broke it. */
interface Bisection {
  readonly part: PartName;
  readonly journey: string;
  /** The smallest set of versions that breaks it. Missing if none can be named. */
  readonly versions?: Versions;
  /** ID of the last release that kept it. */
  readonly lastGood?: string | undefined;
  /** Number of sets of versions that were opened. */
  readonly opened: number;
  /** All of that as a sentence. */
  readonly text: string;
}

/**
 * Follows journeys of the live release, and names the versions that broke some. Opens sets of stored versions in a browser. Returns
 * also how many journeys were followed.
 *
 * @param isSelected whether a journey is to be followed
 */
export async function bisectJourneys(
  store: ReleaseStore,
  liveState: LiveState,
  browserLocation: BrowserLocation,
  isSelected: (part: PartName, journey: string) => boolean,
): Promise<{ readonly followed: number; readonly bisections: readonly Bisection[] }> {
  await using browser = await openBrowser(browserLocation);
  const follow = async (versions: Versions, isFollowed: typeof isSelected): Promise<JourneyResults> => {
    const content = await contentWithOnly(store, versions);
    const parts = versionsIn(content).map(async ({ part, version }) => {
      const all = Object.entries(await readJourneys(store, part, version));
      const journeys = Object.fromEntries(all.filter(([name]) => isFollowed(part, name)));
      return { part, journeys, isThorough: true };
    });
    const site = await composeSite({ store, siteConfig: liveState.siteConfig }, content);
    return runJourneys(browser, { site, parts: await Promise.all(parts) });
  };
  const { followed, broken } = await follow(liveVersions(liveState.release), isSelected);
  const bisections: Bisection[] = [];
  // One that is broken at several widths is in the list several times.
  for (const { part, name } of new Map(broken.map((each) => [`${each.part} ${each.name}`, each])).values()) {
    const sets = await readPromisingSets(store, liveState, part, name);
    let opened = 0;
    const culprit = await findCulprit(
      sets.map(({ versions }) => versions),
      async (set) => {
        opened += 1;
        const results = await follow(set, (owner, journey) => owner === part && journey === name);
        return results.broken.length > 0;
      },
    );
    const { versions } = culprit ?? {};
    const lastGood = culprit && sets[culprit.lastGood]?.releaseId;
    const cause = versions
      ? `is broken by ${nameVersions(versions)}${culprit?.areSoundAlone ? '; each alone is sound' : ''}. The last good release is ${lastGood}.`
      : `is broken with the oldest stored versions that promise it already, those of release ${sets[0]?.releaseId}.`;
    const text = `${part}: "${name}" ${cause}`;
    bisections.push({ part, journey: name, ...(versions && { versions, lastGood }), opened, text });
  }
  return { followed, bisections };
}

const liveVersions = (release: LiveState['release']): Versions =>
  versionsByPart(versionsIn(withLiveOnly(release)));

/**
 * The sets that have been live since the part began to promise the journey, oldest first. Excludes those before a release that is
 * not stored.
 */
async function readPromisingSets(store: ReleaseStore, liveState: LiveState, part: PartName, name: string) {
  const sets = [{ releaseId: liveState.release.releaseId, versions: liveVersions(liveState.release) }];
  for await (const entry of store.liveStore.history(liveState)) {
    if (changedParts(entry).length === 0) continue;
    const release = await store.readRelease(entry.releaseId);
    if (!release) break;
    const versions = liveVersions(release);
    const partVersion = versions[part];
    if (partVersion === undefined || !(await readJourneys(store, part, partVersion))[name]) break;
    if (sets[0] && nameVersions(sets[0].versions) === nameVersions(versions)) continue;
    sets.unshift({ releaseId: entry.releaseId, versions });
  }
  return sets;
}
