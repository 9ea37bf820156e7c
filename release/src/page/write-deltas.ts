import { basename } from 'node:path';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { ReferencedVersion } from '@countersign/contracts/release-versions';
import type { PartName } from '@countersign/contracts/remotes';
import { pageFiles } from './page-files.ts';
import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import { pagePrefix, versionPrefix, type LiveState, type ReleaseStore } from '../store/release-store.ts';
import { unlessDamaged } from '../store/stored-json.ts';
import { createDelta } from '../store/delta-file.ts';
import { namePattern } from './dictionary-headers.ts';

/** Number of releases, from the live one back, whose files browsers may still have. */
const maxReleases = 5;

/** Entries of the history among which they are found, because several entries can make the same release live. */
const maxEntries = 3 * maxReleases;

/** Key of an entry bundle among the pages of a release, but not of its compressed copies and deltas. */
const bundleFile = /^pages\/[^/]+\/entries\.[0-9a-f]+\.js$/;

/** Largest delta that is stored, as a share of the compressed file. A larger one saves too little. */
const largestShare = 1 / 5;

/** A stored file, and the earlier files, the dictionaries, of which browsers may have one. */
interface DeltaSource {
  readonly prefix: string;
  readonly file: string;
  /** Keys. */
  readonly dictionaries: readonly string[];
}

/**
 * Writes the deltas of a release that becomes live: its page, its entry bundle, and the scripts and styles of its new versions,
 * each as the difference from an earlier file, which browsers may have from one of the last releases.
 */
export async function writeDeltas(
  store: ReleaseStore,
  live: LiveState | undefined,
  release: ReleaseDocument,
): Promise<void> {
  const earlier = live ? await latestReleases(store, live) : [];
  const added = newlyReferencedVersions(live?.release, release);
  const ofVersions = await Promise.all(added.map((named) => filesOfVersion(store, named, earlier)));
  const sources = [...ofVersions.flat(), ...(await filesOfPages(store, release, earlier))];
  await Promise.all(sources.map((source) => writeDeltasOf(store, source)));
}

/** The live release and those before it. */
async function latestReleases(store: ReleaseStore, live: LiveState): Promise<readonly ReleaseDocument[]> {
  const history = await store.recentHistory(live, maxEntries);
  const ids = [...new Set(history.map(({ releaseId }) => releaseId))].slice(0, maxReleases);
  const records = await Promise.all(ids.map((releaseId) => unlessDamaged(store.readRelease(releaseId))));
  return records.flatMap((record) => (record ? [record.release] : []));
}

/** The page, which is also its own dictionary, for views of it with another query, and the entry bundle. */
async function filesOfPages(
  store: ReleaseStore,
  { releaseId }: ReleaseDocument,
  earlier: readonly ReleaseDocument[],
): Promise<readonly DeltaSource[]> {
  const prefix = pagePrefix(releaseId);
  const prefixes = [...new Set([prefix, ...earlier.map((before) => pagePrefix(before.releaseId))])];
  const keys = (await Promise.all(prefixes.map((each) => store.objects.list(each)))).flat();
  // By name, because several releases may have the same bundle.
  const named = keys.filter((key) => bundleFile.test(key)).map((key) => [basename(key), key] as const);
  const bundles = new Map(named);
  const [file] = named.find(([, key]) => key.startsWith(prefix)) ?? [];
  const page = {
    prefix,
    file: pageFiles.landing,
    dictionaries: prefixes.map((each) => `${each}${pageFiles.landing}`),
  };
  if (file === undefined) return [page];
  bundles.delete(file);
  return [page, { prefix, file, dictionaries: [...bundles.values()] }];
}

async function filesOfVersion(
  store: ReleaseStore,
  { part, version }: ReferencedVersion,
  earlier: readonly ReleaseDocument[],
): Promise<readonly DeltaSource[]> {
  const liveVersions = earlier.map(
    ({ shell, remotes }) => (part === 'shell' ? shell : remotes[part]?.live)?.version ?? version,
  );
  const others = [...new Set(liveVersions)].filter((before) => before !== version);
  const filesBefore = await Promise.all(
    others.map(
      async (before) => [versionPrefix(part, before), await filesByPattern(store, part, before)] as const,
    ),
  );
  return [...(await filesByPattern(store, part, version))].map(([pattern, { file, hash }]) => ({
    prefix: versionPrefix(part, version),
    file,
    dictionaries: filesBefore.flatMap(([folder, files]) => {
      const before = files.get(pattern);
      return before && before.hash !== hash ? [`${folder}${before.file}`] : [];
    }),
  }));
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

/** Writes the deltas of a file from those dictionaries that exist and give a small delta. */
async function writeDeltasOf(
  store: ReleaseStore,
  { prefix, file, dictionaries }: DeltaSource,
): Promise<void> {
  const content = (await store.objects.read(`${prefix}${file}`))?.bytes;
  const compressed = (await store.objects.read(`${prefix}${file}.br`))?.bytes;
  if (!content || !compressed) return;
  for (const key of dictionaries) {
    const dictionary = (await store.objects.read(key))?.bytes;
    // A release does not need its deltas, so one that cannot be made is left out. A store that fails stops the release.
    const delta = dictionary && (await createDelta(file, content, dictionary).catch(() => undefined));
    if (!delta || delta.bytes.length > compressed.length * largestShare) continue;
    await store.addFile(`${prefix}${delta.name}`, delta.bytes);
  }
}
