import { entryBundleName } from '@countersign/contracts/page-markup';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { PartName } from '@countersign/contracts/remotes';
import type { Pages } from './compose-pages.ts';
import { pageFiles } from './page-files.ts';
import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import { pagePrefix, versionPrefix, type LiveState, type ReleaseStore } from '../store/release-store.ts';
import { unlessDamaged } from '../store/stored-json.ts';
import { checksumName, checksumOf, createDelta } from '../store/delta-file.ts';
import { namePattern } from './dictionary-headers.ts';

/** Number of releases, from the live one back, whose files browsers may still have. */
const maxReleases = 5;

/** Entries of the history among which they are found, because several entries can make the same release live. */
const maxEntries = 3 * maxReleases;

/** Key of an entry bundle among the pages of a release, but not of its compressed copies and deltas. */
const bundleFile = /^pages\/[^/]+\/entries\.[0-9a-f]+\.js$/;

/** Largest delta that is stored, as a share of the compressed file. A larger one saves too little. */
const largestShare = 1 / 5;

/**
 * Writes the deltas of a release that becomes live: its page, its entry bundle, and the scripts and styles of its new versions,
 * each as the difference from an earlier file, the dictionary, which browsers may have from one of the last releases. The
 * page is also its own dictionary, for views of it with another query.
 */
export async function writeDeltas(
  store: ReleaseStore,
  live: LiveState | undefined,
  release: ReleaseDocument,
  pages: Pages,
): Promise<void> {
  const earlier = live ? await latestReleases(store, live) : [];
  const added = newlyReferencedVersions(live?.release, release);
  const page = pages.get(pageFiles.landing);
  const bundle = [...pages].find(([name]) => entryBundleName.test(name));
  await Promise.all([
    ...added.map(({ part, version }) => writeVersionDeltas(store, part, version, earlier)),
    ...(page === undefined ? [] : [writePageDeltas(store, release, Buffer.from(page), earlier)]),
    ...(bundle ? [writeBundleDeltas(store, release, [bundle[0], Buffer.from(bundle[1])], earlier)] : []),
  ]);
}

/** The live release and those before it. */
async function latestReleases(store: ReleaseStore, live: LiveState): Promise<readonly ReleaseDocument[]> {
  const history = await store.recentHistory(live, maxEntries);
  const ids = [...new Set(history.map(({ releaseId }) => releaseId))].slice(0, maxReleases);
  const records = await Promise.all(ids.map((releaseId) => unlessDamaged(store.readRelease(releaseId))));
  return records.flatMap((record) => (record ? [record.release] : []));
}

async function writePageDeltas(
  store: ReleaseStore,
  { releaseId }: ReleaseDocument,
  page: Uint8Array,
  earlier: readonly ReleaseDocument[],
): Promise<void> {
  const others = earlier.filter((before) => before.releaseId !== releaseId);
  const keys = others.map((before) => `${pagePrefix(before.releaseId)}${pageFiles.landing}`);
  const dictionaries = await Promise.all(keys.map(async (key) => (await store.objects.read(key))?.bytes));
  const prefix = pagePrefix(releaseId);
  for (const dictionary of [page, ...dictionaries])
    await writeDelta(store, prefix, pageFiles.landing, page, dictionary);
}

async function writeBundleDeltas(
  store: ReleaseStore,
  { releaseId }: ReleaseDocument,
  [name, content]: readonly [string, Uint8Array],
  earlier: readonly ReleaseDocument[],
): Promise<void> {
  const lists = earlier.map((before) => store.objects.list(pagePrefix(before.releaseId)));
  const keys = (await Promise.all(lists))
    .flat()
    // The same bundle needs no delta.
    .filter((key) => bundleFile.test(key) && !key.endsWith(`/${name}`));
  // By name, because several releases may have the same bundle.
  const bundles = new Map(keys.map((key) => [key.slice(key.lastIndexOf('/')), key]));
  for (const key of bundles.values())
    await writeDelta(store, pagePrefix(releaseId), name, content, (await store.objects.read(key))?.bytes);
}

async function writeVersionDeltas(
  store: ReleaseStore,
  part: PartName,
  version: string,
  earlier: readonly ReleaseDocument[],
): Promise<void> {
  const liveVersions = earlier.map(
    ({ shell, remotes }) => (part === 'shell' ? shell : remotes[part]?.live)?.version,
  );
  const prefix = versionPrefix(part, version);
  const files = await filesByPattern(store, part, version);
  for (const before of new Set(liveVersions)) {
    if (before === undefined || before === version) continue;
    const filesBefore = await filesByPattern(store, part, before);
    for (const [pattern, { file, hash }] of files) {
      const dictionary = filesBefore.get(pattern);
      if (!dictionary || dictionary.hash === hash) continue;
      const [content, old] = await Promise.all([
        store.objects.read(`${prefix}${file}`),
        store.objects.read(`${versionPrefix(part, before)}${dictionary.file}`),
      ]);
      if (content) await writeDelta(store, prefix, file, content.bytes, old?.bytes);
    }
  }
}

/** Name without its hash, as a pattern → that file of a version. The same file of another version has the same pattern. */
async function filesByPattern(
  store: ReleaseStore,
  part: PartName,
  version: string,
): Promise<ReadonlyMap<string, { readonly file: string; readonly hash: string }>> {
  const hashes = Object.entries((await store.hashesOf(part, version)) ?? {});
  return new Map(
    hashes.flatMap(([file, hash]) => {
      // Folders have declarations and development builds, which visitors do not load.
      const pattern = file.includes('/') ? undefined : namePattern(file);
      return pattern === undefined ? [] : [[pattern, { file, hash }]];
    }),
  );
}

/** Writes the delta of a file and its checksum, if the dictionary exists and the delta is small enough. */
async function writeDelta(
  store: ReleaseStore,
  prefix: string,
  file: string,
  content: Uint8Array,
  dictionary: Uint8Array | undefined,
): Promise<void> {
  if (!dictionary) return;
  const compressed = (await store.objects.read(`${prefix}${file}.br`))?.bytes;
  if (!compressed) return;
  // A release does not need its deltas, so one that cannot be made is left out. A store that fails stops the release.
  const delta = await createDelta(file, content, dictionary).catch(() => undefined);
  if (!delta || delta.bytes.length > compressed.length * largestShare) return;
  // The delta is written last, because one without a checksum would look damaged after an interruption.
  await store.addFile(`${prefix}${checksumName(delta.name)}`, Buffer.from(checksumOf(delta)));
  await store.addFile(`${prefix}${delta.name}`, delta.bytes);
}
