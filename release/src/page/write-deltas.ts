import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { liveVersionOf, type PartVersion } from '@countersign/contracts/release-versions';
import { mapConcurrently } from '../platform/map-concurrently.ts';
import { landingPages, pageFiles } from '../store/page-files.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { StoredFiles } from '../store/stored-files.ts';
import { createDelta, dictionaryName } from '../store/delta-file.ts';
import { namePattern } from './dictionary-headers.ts';

/** Number of releases, from the live one back, whose files browsers may still have. */
const maxReleases = 5;

/** Entries of the history among which they are found, because several entries can make the same release live. */
const maxEntries = 3 * maxReleases;

/** Largest delta that is stored, as a fraction of the compressed file. A larger one saves too little. */
const largestFraction = 1 / 5;

/**
 * Writes the deltas of a release that becomes live: its page, its entry bundle, and the scripts and styles of the added versions,
 * each as the difference (RFC 9842) from an earlier file, which browsers may have from one of the last releases.
 */
export async function writeDeltas(
  store: ReleaseStore,
  liveState: LiveState | undefined,
  release: ReleaseDocument,
  added: readonly PartVersion[],
): Promise<void> {
  const earlier = liveState ? await readLatestReleases(store, liveState) : [];
  const versions = added.map((named) => {
    const before = earlier.flatMap((each) => {
      const version = liveVersionOf(named.part, each);
      return version === undefined || version === named.version ? [] : [{ part: named.part, version }];
    });
    return [named, before] as const;
  });
  // The page is also its own dictionary, for views of it with another query.
  const all = [...versions, [release, [release, ...earlier]] as const];
  await Promise.all(
    all.map(([stored, before]) => {
      const folders = before.map((each) => store.filesOf(each));
      const others = new Map(folders.map((folder) => [folder.prefix, folder]));
      return writeDeltasOfFiles(store.filesOf(stored), [...others.values()]);
    }),
  );
}

/** The live release and those before it. */
async function readLatestReleases(
  store: ReleaseStore,
  liveState: LiveState,
): Promise<readonly ReleaseDocument[]> {
  const history = await store.liveStore.recentHistory(liveState, maxEntries);
  const ids = [...new Set(history.map(({ releaseId }) => releaseId))].slice(0, maxReleases);
  const releases = await Promise.all(ids.map((releaseId) => store.readRelease(releaseId)));
  return releases.filter((release) => release !== undefined);
}

/** A file in its folder. */
interface FileOf {
  readonly files: StoredFiles;
  readonly name: string;
  /** Name of the file without hash. The same file of another version has the same pattern, and so have the copies of the landing page. */
  readonly pattern: string;
}

/** Writes the deltas of files to the same files in earlier folders. */
async function writeDeltasOfFiles(files: StoredFiles, before: readonly StoredFiles[]): Promise<void> {
  if (before.length === 0) return;
  const earlier = (await Promise.all(before.map(listFilesWithPattern))).flat();
  await mapConcurrently(await listFilesWithPattern(files), ({ name, pattern }) => {
    const dictionaries = earlier.filter((file) => file.pattern === pattern);
    return writeDeltasOf(files, name, dictionaries);
  });
}

async function listFilesWithPattern(files: StoredFiles): Promise<readonly FileOf[]> {
  return (await files.list()).flatMap((name) => {
    if (landingPages.includes(name)) return [{ files, name, pattern: pageFiles.landing }];
    // Folders have declarations and development builds, which visitors do not load.
    const pattern = name.includes('/') ? undefined : namePattern(name);
    return pattern === undefined ? [] : [{ files, name, pattern }];
  });
}

/** Writes the deltas of a file from those dictionaries that give a small delta. */
async function writeDeltasOf(stored: StoredFiles, name: string, earlier: readonly FileOf[]): Promise<void> {
  const content = await stored.read(name);
  const compressed = await stored.read(`${name}.br`);
  if (!content || !compressed) return;
  const found = await Promise.all(earlier.map((file) => file.files.read(file.name)));
  const dictionaries = found.flatMap((bytes) => (bytes ? [[dictionaryName(bytes), bytes] as const] : []));
  for (const dictionary of new Map(dictionaries).values()) {
    // A release does not need its deltas, so one that cannot be made is left out. A store that fails stops the release.
    const delta = await createDelta(name, content, dictionary).catch(() => undefined);
    if (!delta || delta.bytes.length > compressed.length * largestFraction) continue;
    await stored.add(delta.name, delta.bytes);
  }
}
