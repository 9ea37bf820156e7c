import { basename, dirname } from 'node:path/posix';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { ReferencedVersion } from '@countersign/contracts/release-versions';
import { landingPages, pageFiles } from './page-files.ts';
import { pagePrefix, versionPrefix, type LiveState, type ReleaseStore } from '../store/release-store.ts';
import { unlessDamaged } from '../store/stored-json.ts';
import { createDelta, dictionaryName } from '../store/delta-file.ts';
import { namePattern } from './dictionary-headers.ts';

/** Number of releases, from the live one back, whose files browsers may still have. */
const maxReleases = 5;

/** Entries of the history among which they are found, because several entries can make the same release live. */
const maxEntries = 3 * maxReleases;

/** Largest delta that is stored, as a share of the compressed file. A larger one saves too little. */
const largestShare = 1 / 5;

/**
 * Writes the deltas of a release that becomes live: its page, its entry bundle, and the scripts and styles of the added versions,
 * each as the difference (RFC 9842) from an earlier file, which browsers may have from one of the last releases.
 */
export async function writeDeltas(
  store: ReleaseStore,
  live: LiveState | undefined,
  release: ReleaseDocument,
  added: readonly ReferencedVersion[],
): Promise<void> {
  const earlier = live ? await latestReleases(store, live) : [];
  const pages = pagePrefix(release.releaseId);
  const versions = added.map(({ part, version }) => {
    const prefix = versionPrefix(part, version);
    const before = earlier.flatMap(({ shell, remotes }) => {
      const named = part === 'shell' ? shell : remotes[part]?.live;
      return named && named.version !== version ? [versionPrefix(part, named.version)] : [];
    });
    return [prefix, before] as const;
  });
  // The page is also its own dictionary, for views of it with another query.
  const pagesBefore = [pages, ...earlier.map(({ releaseId }) => pagePrefix(releaseId))];
  await Promise.all(
    [...versions, [pages, pagesBefore] as const].map(([prefix, before]) =>
      writeDeltasBelow(store, prefix, [...new Set(before)]),
    ),
  );
}

/** The live release and those before it. */
async function latestReleases(store: ReleaseStore, live: LiveState): Promise<readonly ReleaseDocument[]> {
  const history = await store.recentHistory(live, maxEntries);
  const ids = [...new Set(history.map(({ releaseId }) => releaseId))].slice(0, maxReleases);
  const records = await Promise.all(ids.map((releaseId) => unlessDamaged(store.readRelease(releaseId))));
  return records.flatMap((record) => (record ? [record.release] : []));
}

/** Writes the deltas of the files below a prefix to the same files below earlier ones. */
async function writeDeltasBelow(
  store: ReleaseStore,
  prefix: string,
  before: readonly string[],
): Promise<void> {
  if (before.length === 0) return;
  const earlier = await Promise.all(before.map((each) => filesByPattern(store, each)));
  const written = (await filesByPattern(store, prefix)).map(([pattern, key]) => {
    const dictionaries = earlier.flat().filter(([same]) => same === pattern);
    return writeDeltasOf(
      store,
      key,
      dictionaries.map(([, dictionary]) => dictionary),
    );
  });
  await Promise.all(written);
}

/**
 * Files below a prefix: name without its hash, as a pattern, and key. The same file of another version has the same pattern, and so
 * have the copies of the landing page.
 */
async function filesByPattern(
  store: ReleaseStore,
  prefix: string,
): Promise<readonly (readonly [string, string])[]> {
  return (await store.objects.list(prefix)).flatMap((key) => {
    const file = key.slice(prefix.length);
    if (landingPages.includes(file)) return [[pageFiles.landing, key] as const];
    // Folders have declarations and development builds, which visitors do not load.
    const pattern = file.includes('/') ? undefined : namePattern(file);
    return pattern === undefined ? [] : [[pattern, key] as const];
  });
}

/** Writes the deltas of a file from those dictionaries that give a small delta. All are named by their keys. */
async function writeDeltasOf(store: ReleaseStore, file: string, keys: readonly string[]): Promise<void> {
  const read = async (key: string) => (await store.objects.read(key))?.bytes;
  const content = await read(file);
  const compressed = await read(`${file}.br`);
  if (!content || !compressed) return;
  const found = (await Promise.all(keys.map(read))).filter((bytes) => bytes !== undefined);
  const dictionaries = new Map(found.map((bytes) => [dictionaryName(bytes), bytes]));
  for (const dictionary of dictionaries.values()) {
    // A release does not need its deltas, so one that cannot be made is left out. A store that fails stops the release.
    const delta = await createDelta(basename(file), content, dictionary).catch(() => undefined);
    if (!delta || delta.bytes.length > compressed.length * largestShare) continue;
    await store.addFile(`${dirname(file)}/${delta.name}`, delta.bytes);
  }
}
