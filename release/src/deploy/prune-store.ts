import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { versionsIn, type PartVersion } from '@countersign/contracts/release-versions';
import { partNames } from '@countersign/contracts/remotes';
import type { ReleaseStore } from '../store/release-store.ts';
import type { Attribution } from '../store/stored-documents.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { removeFromStore, type Removal } from './remove-version.ts';

/** Minimum age of removed versions and releases: 30 days, in milliseconds. */
export const minAge = 30 * 24 * 60 * 60_000;

/** Number of latest releases that are kept regardless of their age. */
export const retainedReleases = 20;

/** How far the clock may be ahead of the newest change, in milliseconds. A clock that is behind removes less. */
const maxAhead = 2 * minAge;

/** The versions and releases that `prune` removes. */
interface Prunable extends Removal {
  /** Why the clock may be wrong, or too much may be removed, and what to do. */
  readonly doubt: string | undefined;
}

/**
 * Finds versions and releases that are older than 30 days and that no release which was live in the last 30 days, or is among the last 20,
 * names; also what an interrupted removal has left.
 */
export async function findPrunable(store: ReleaseStore, now: Date): Promise<Prunable> {
  const isOld = (at: string) => now.getTime() - Date.parse(at) >= minAge;
  // First, so that one that is stored meanwhile is not among them.
  const allReleases = await store.knownReleaseIds();
  const { needed, liveNames, newest, isYoungNeeded } = await findNeeded(store, isOld);
  const releases = allReleases.filter((id) => !needed.has(id));
  const published = await readPublishedVersions(store);
  // Of versions that are being removed, the live page alone keeps some.
  const unneeded = published.filter(
    (each) => !(each.publishedAt === undefined ? liveNames : needed).has(versionName(each)),
  );
  const isYoung = ({ publishedAt }: PublishedVersion) => publishedAt !== undefined && !isOld(publishedAt);
  const versions = unneeded.filter((each) => !isYoung(each)).map(({ part, version }) => ({ part, version }));
  const count = versions.length + releases.length;
  if (count === 0) return { versions, releases, doubt: undefined };
  // If nothing is kept only because it is young, the clock may be ahead.
  const isYoungKept = isYoungNeeded || unneeded.some(isYoung);
  const isMost = count * 2 > published.length + allReleases.length;
  const excess = !isYoungKept && isMost ? describeRemoval({ versions, releases }) : undefined;
  return { versions, releases, doubt: findDoubt(now, newest, excess) };
}

/**
 * Removes what was found, with an entry in the history, and takes the mark of an interrupted removal from what is live. A removed version
 * can be published again with the same content only. Throws a {@link ReleaseError} instead if there is a doubt that no person has
 * confirmed, because a wrong clock would remove everything.
 */
export async function pruneStore(
  store: ReleaseStore,
  { versions, releases, doubt }: Prunable,
  attribution: Attribution,
  { isConfirmed = false }: { readonly isConfirmed?: boolean } = {},
): Promise<void> {
  const { release } = await store.liveStore.require();
  const failures = await store.records.unmark([release, ...versionsIn(release)]);
  if (failures.length > 0) throw new ReleaseError(failures.join(' '));
  if (versions.length + releases.length === 0) return;
  if (doubt !== undefined && !isConfirmed) throw new ReleaseError(`Nothing was removed: ${doubt}`);
  const removal = { versions, releases };
  await removeFromStore(store, removal, { ...attribution, parts: [], from: describeRemoval(removal) });
}

type PublishedVersion = Awaited<ReturnType<typeof readPublishedVersions>>[number];

/** The published versions with their times. One that is being removed has none. */
async function readPublishedVersions(store: ReleaseStore) {
  const stored = await store.knownVersions();
  const known = partNames.flatMap((part) =>
    stored.flatMap((each) => (each.part === part ? { part, version: each.version } : [])),
  );
  return mapConcurrently(known, async ({ part, version }) => {
    const record = await store.versionRecord(part, version);
    return { part, version, publishedAt: record?.publishedAt };
  });
}

const describeRemoval = ({ versions, releases }: Removal) =>
  `${versions.length} versions and ${releases.length} releases`;

/** @param excess describes a removal that removes more than it keeps, and keeps nothing because it is young */
function findDoubt(now: Date, newest: string, excess: string | undefined): string | undefined {
  const isNear = now.getTime() - Date.parse(newest) <= maxAhead;
  if (isNear && excess === undefined) return undefined;
  const reason = isNear
    ? `of all that the last ${retainedReleases} releases do not name, nothing is younger than 30 days, and ${excess} are more than what stays`
    : `the clock says ${now.toISOString()}, and the last change of the page was at ${newest}`;
  return `${reason}. Correct the clock; if it is right, repeat the command with --yes.`;
}

/**
 * Names of the releases that are kept, and of the versions in them; those of the live one; whether one is kept only because it is young;
 * and the newest time.
 */
async function findNeeded(store: ReleaseStore, isOld: (at: string) => boolean) {
  const latest = new Set<string>();
  const recent = new Set<string>();
  /** Whether the next entry replaced it long ago. */
  let isReplaced = false;
  for await (const { releaseId, at } of store.liveStore.history(await store.liveStore.require())) {
    // The entries before are older still.
    if (latest.size >= retainedReleases && isReplaced) break;
    if (latest.size < retainedReleases) latest.add(releaseId);
    if (!isReplaced) recent.add(releaseId);
    isReplaced = isOld(at);
  }
  const needed = new Set<string>();
  let isYoungNeeded = false;
  await mapConcurrently(await store.releaseIds(), async (releaseId) => {
    // Throws if it is damaged, because the versions that it needs are unknown then.
    const found = await store.releaseRecord(releaseId);
    if (!found) return;
    const isLatest = latest.has(releaseId);
    const isYoung = recent.has(releaseId) || !isOld(found.at);
    if (isLatest || isYoung) addNames(needed, found.release);
    isYoungNeeded ||= isYoung && !isLatest;
  });
  // Read last, because it can change while the rest is read.
  const { release, historyEntry } = await store.liveStore.require();
  const liveNames = addNames(new Set(), release);
  return { needed: needed.union(liveNames), liveNames, newest: historyEntry.at, isYoungNeeded };
}

function addNames(names: Set<string>, release: ReleaseDocument): Set<string> {
  names.add(release.releaseId);
  for (const version of versionsIn(release)) names.add(versionName(version));
  return names;
}

const versionName = ({ part, version }: PartVersion) => `${part} ${version}`;
