import type { BrowserLocation } from '@countersign/browser/find-browser';
import { referencedVersions } from '@countersign/contracts/release-versions';
import type { PartName } from '@countersign/contracts/remotes';
import type { Browser } from 'playwright-core';
import { applyChange, type Versions } from '../deploy/change.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { changedParts } from '../store/history.ts';
import { nameVersions, withLiveOnly } from '../store/referenced-versions.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { openBrowser } from './browser/open-browser.ts';
import { findCulprit } from './find-culprit.ts';
import { runJourneys, type BrokenJourney } from './journeys/run-journeys.ts';
import { readJourneys, siteOf } from './rendered-page.ts';

/** What the search for the versions that broke a journey has found. */
export interface Bisection {
  readonly part: PartName;
  readonly journey: string;
  /** The smallest set of versions that breaks it. Missing if none can be named. */
  readonly versions?: Versions;
  /** ID of the last release that kept it. */
  readonly lastGood?: string;
  /** Number of sets of versions that were opened. */
  readonly opened: number;
  /** All of that as a sentence. */
  readonly text: string;
}

/** A release that was live, as part → version. */
interface LiveSet {
  readonly releaseId: string;
  readonly versions: Versions;
}

/**
 * Names the versions of the live release that broke journeys. Opens sets of stored versions in a browser, which follows nothing but the
 * journey.
 */
export async function bisectJourneys(
  store: ReleaseStore,
  live: LiveState,
  location: BrowserLocation,
  broken: readonly Pick<BrokenJourney, 'part' | 'name'>[],
): Promise<readonly Bisection[]> {
  await using browser = await openBrowser(location);
  const found: Bisection[] = [];
  // One that is broken at several widths is in the list several times.
  const byName = new Map(broken.map((journey) => [`${journey.part} ${journey.name}`, journey]));
  for (const { part, name } of byName.values())
    found.push(await bisectJourney(browser, store, live, part, name));
  return found;
}

/**
 * The journeys that the live release breaks, of all or of those with a name. Throws a {@link ReleaseError} if no part has one so named.
 */
export async function brokenJourneysOf(
  store: ReleaseStore,
  { release, site }: LiveState,
  location: BrowserLocation,
  named: string | undefined,
): Promise<readonly BrokenJourney[]> {
  const shown = withLiveOnly(release);
  const parts = referencedVersions(shown).map(async ({ part, version }) => {
    const all = Object.entries(await readJourneys(store, part, version));
    const journeys = Object.fromEntries(all.filter(([name]) => named === undefined || name === named));
    return { part, journeys, isThorough: true };
  });
  const followed = await Promise.all(parts);
  if (followed.every(({ journeys }) => Object.keys(journeys).length === 0))
    throw new ReleaseError(
      `No part of the live page has a journey "${named ?? ''}". Their journeys.ts name them.`,
    );
  await using browser = await openBrowser(location);
  const subject = { site: await siteOf({ store, site }, shown), parts: followed };
  return (await runJourneys(browser, subject)).broken;
}

async function bisectJourney(
  browser: Browser,
  store: ReleaseStore,
  live: LiveState,
  part: PartName,
  name: string,
): Promise<Bisection> {
  const sets = await readSets(store, live, part, name);
  let opened = 0;
  const breaks = async (versions: Versions): Promise<boolean> => {
    opened += 1;
    const content = await applyChange(store, undefined, { kind: 'promote', versions });
    const { [name]: journey } = await readJourneys(store, part, versions[part] ?? '');
    // Each version is held to its own promise.
    const journeys = journey ? { [name]: journey } : {};
    const site = await siteOf({ store, site: live.site }, content);
    const run = await runJourneys(browser, { site, parts: [{ part, journeys, isThorough: true }] });
    return run.broken.length > 0;
  };
  const outcomeOf = (text: string) => ({ part, journey: name, opened, text: `${part}: "${name}" ${text}` });
  const [last] = sets.slice(-1);
  if (!last || !(await breaks(last.versions)))
    return outcomeOf(
      'is kept by the versions of the live release, opened from the store. Look for the cause at the servers of the site.',
    );
  const versionsOf = sets.map(({ versions }) => versions);
  const culprit = await findCulprit(versionsOf, breaks);
  if (!culprit)
    return outcomeOf(
      `is broken in each stored release that promises it, the first of which is ${sets[0]?.releaseId ?? ''}.`,
    );
  const { versions, isEachSound } = culprit;
  const lastGood = sets[culprit.lastGood]?.releaseId ?? '';
  const alone = isEachSound ? '; each alone is sound' : '';
  const text = `is broken by ${nameVersions(versions)}${alone}. The last good release is ${lastGood}.`;
  return { ...outcomeOf(text), versions, lastGood };
}

/** The releases that were live, the oldest first, since a part promises a journey, as far back as they are stored. */
async function readSets(
  store: ReleaseStore,
  live: LiveState,
  part: PartName,
  name: string,
): Promise<readonly LiveSet[]> {
  const sets: LiveSet[] = [];
  for await (const entry of store.entries(live)) {
    if (changedParts(entry).length === 0 && sets.length > 0) continue;
    const release = (await store.readRelease(entry.releaseId))?.release;
    if (!release) break;
    const named = referencedVersions(withLiveOnly(release));
    const versions: Versions = Object.fromEntries(named.map((each) => [each.part, each.version]));
    const promising = versions[part];
    if (promising === undefined || !(await readJourneys(store, part, promising))[name]) break;
    const isSame = sets[0] && nameVersions(sets[0].versions) === nameVersions(versions);
    if (!isSame) sets.unshift({ releaseId: entry.releaseId, versions });
  }
  return sets;
}
