import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { PartName } from '@countersign/contracts/remotes';
import { ReleaseFault } from './release-fault.ts';
import { brokenLink, type AuditEntry } from './store/audit-entry.ts';
import { plannedRemovals } from './store/planned-removal.ts';
import { pagePrefix, versionPrefix, type ReleaseStore } from './store/release-store.ts';
import { verifyLive } from './verify-live.ts';
import { verifyPages } from './verify-pages.ts';
import { usedVersions, verifyVersion } from './verify-versions.ts';

/** What a look at everything that visitors can get has found. */
export interface Verification {
  /** How many files of versions were hashed again, compressed copies not counted. */
  readonly files: number;
  /** How many releases had their pages hashed again. */
  readonly releases: number;
  /** How many of them are known by the first 12 digits of their hash alone, because the log has no more of it. */
  readonly shortHashes: number;
  readonly entries: number;
  /** Each a sentence. Empty when all is as it was published. */
  readonly faults: readonly string[];
}

/**
 * Hashes the pages of every release that is live or can be replayed, and every file of every version that these name,
 * unpacks the compressed copies, which are what most visitors get, compares what is served at the root of the site, and
 * checks that the log is whole and that nothing withdrawn is left.
 */
export async function verifyStore(
  store: ReleaseStore,
  progress: (part: PartName, version: string) => void,
): Promise<Verification> {
  const faults: string[] = [];
  /** A damaged document is a fault among others. */
  const attempt = async <Found>(reading: Promise<Found>): Promise<Found | undefined> => {
    try {
      return await reading;
    } catch (error) {
      if (!(error instanceof ReleaseFault)) throw error;
      if (!faults.includes(error.message)) faults.push(error.message);
      return undefined;
    }
  };

  const live = await attempt(store.readLive());
  const history = await attempt(store.history());
  const entries = history ?? (live ? [live.entry] : []);
  const pages = await pageKeys(store, faults);
  const releases = new Map<string, ReleaseDocument>();
  if (live) releases.set(live.release.releaseId, live.release);
  for (const releaseId of await store.releaseIds()) {
    const record = await attempt(store.readRelease(releaseId));
    if (record) releases.set(releaseId, record.release);
  }
  const wasLive = (releaseId: string) =>
    releaseId === live?.release.releaseId || entries.some((entry) => entry.releaseId === releaseId);
  const leaving = await leavingItems(store);

  let files = 0;
  // A release that never was live may have been refused because a version was missing.
  const used = usedVersions([...releases.values()].filter(({ releaseId }) => wasLive(releaseId)));
  const withdrawn = live?.withdrawn.map(({ part, version }) => versionPrefix(part, version)) ?? [];
  for (const version of used) {
    const prefix = versionPrefix(version.part, version.version);
    if (leaving.has(prefix) || withdrawn.includes(prefix)) continue;
    progress(version.part, version.version);
    const outcome = await attempt(verifyVersion(store, version, live?.release.releaseId));
    files += outcome?.files ?? 0;
    faults.push(...(outcome?.faults ?? []));
  }

  const hashes = hashesIn(entries);
  const replayable = [...new Set([...releases.keys(), ...pages.keys()])].filter(
    (releaseId) => !leaving.has(pagePrefix(releaseId)),
  );
  for (const releaseId of replayable) {
    const expected = {
      release: releases.get(releaseId),
      site: releaseId === live?.release.releaseId ? live.site : undefined,
      releaseHash: hashes.get(releaseId),
      // A removal takes the document away last.
      wasLive: wasLive(releaseId) && releases.has(releaseId),
    };
    faults.push(...(await verifyPages(store, releaseId, pages.get(releaseId) ?? [], expected)));
  }
  if (live) faults.push(...(await verifyLive(store, live, releases, entries)));
  const broken = history && brokenLink(history);
  if (broken !== undefined) faults.push(`The log does not hold together from entry ${broken} on.`);
  const shortHashes = replayable.filter((releaseId) => !hashes.has(releaseId)).length;
  return { files, releases: replayable.length, shortHashes, entries: entries.length, faults };
}

/** Versions and pages that a prune is removing at this moment. */
async function leavingItems(store: ReleaseStore): Promise<ReadonlySet<string>> {
  return new Set((await plannedRemovals(store.objects)).flatMap(({ removed }) => removed));
}

/** Release → keys of its pages. */
async function pageKeys(
  store: ReleaseStore,
  faults: string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const pages = new Map<string, string[]>();
  for (const key of await store.objects.list('pages/')) {
    const [, releaseId] = /^pages\/(r-[0-9a-f]{12})\/./.exec(key) ?? [];
    if (releaseId === undefined) faults.push(`${key} belongs to no release. Remove it.`);
    else pages.set(releaseId, [...(pages.get(releaseId) ?? []), key]);
  }
  return pages;
}

/** Release → hash of its pages, as far as the log has it. */
function hashesIn(entries: readonly AuditEntry[]): ReadonlyMap<string, string> {
  return new Map(
    entries.flatMap(({ releaseId, releaseHash }) =>
      releaseHash === undefined ? [] : [[releaseId, releaseHash] as const],
    ),
  );
}
