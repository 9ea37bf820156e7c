import type { PartName } from '@countersign/contracts/remotes';
import type { ChunkAssets, ReleaseDocument } from '@countersign/contracts/release-document';
import { integrityOf } from './file-hash.ts';
import type { NamedVersion } from './flip/named-versions.ts';
import { namedVersions } from './flip/named-versions.ts';
import { formerRecordFiles, versionPrefix, type ReleaseStore } from './store/release-store.ts';
import { readStoredFiles } from './verify-files.ts';

/** A version, and the releases that name it. */
interface UsedVersion extends NamedVersion {
  readonly releases: readonly ReleaseDocument[];
}

/** Every version that one of these releases names, once, in the order in which they do. */
export function usedVersions(releases: readonly ReleaseDocument[]): readonly UsedVersion[] {
  const used = new Map<string, { part: PartName; version: string; releases: ReleaseDocument[] }>();
  for (const release of releases) {
    for (const { part, version } of namedVersions(release)) {
      const key = versionPrefix(part, version);
      const known = used.get(key) ?? { part, version, releases: [] };
      known.releases.push(release);
      used.set(key, known);
    }
  }
  return [...used.values()];
}

/**
 * Hashes every file of a version again, unpacks its compressed copies, and compares its hashes with those of the
 * releases that name it.
 *
 * @param liveId name of the release that is live
 */
export async function verifyVersion(
  store: ReleaseStore,
  { part, version, releases }: UsedVersion,
  liveId: string | undefined,
): Promise<{ files: number; faults: readonly string[] }> {
  const name = `${part} ${version}`;
  const prefix = versionPrefix(part, version);
  const keys = await store.objects.list(prefix);
  const hashes = await store.hashesOf(part, version);
  if (!hashes || keys.length === 0) {
    const [first] = releases;
    const use = releases.some(({ releaseId }) => releaseId === liveId)
      ? 'live'
      : `named by release ${first?.releaseId}`;
    return { files: 0, faults: [`${name} is ${use} and not in the store.`] };
  }
  const former: readonly string[] = Object.values(formerRecordFiles).map((file) => `${prefix}${file}`);
  const published = keys.filter((key) => !former.includes(key));
  const { files, copies } = await readStoredFiles(store.objects, prefix, published);
  const faults: string[] = [];
  for (const [file, hash] of Object.entries(hashes)) {
    // A build from before names were checked may hold a file that looks like a copy.
    const bytes = files.get(file) ?? (await store.objects.read(`${prefix}${file}`))?.bytes;
    if (!bytes) faults.push(`${name} has lost ${file}.`);
    else if (integrityOf(bytes) !== hash) faults.push(`${name} has another ${file} than was published.`);
  }
  for (const { name: copy, file, content } of copies) {
    const isFile = Object.hasOwn(hashes, copy) && !Object.hasOwn(hashes, file);
    if (isFile || (content && integrityOf(content) === hashes[file])) continue;
    faults.push(`${name} has another ${copy} than was published.`);
  }
  for (const file of files.keys()) {
    if (!Object.hasOwn(hashes, file)) faults.push(`${name} holds ${file}, which was not published with it.`);
  }
  if (!(await store.isAsClaimed(part, version, hashes))) {
    faults.push(`The record of ${name} lists other files than were published.`);
  }
  for (const [file, integrity] of namedFiles(part, version, releases)) {
    if (hashes[file] !== integrity)
      faults.push(`${name} has a record of another ${file} than its release names.`);
  }
  return { files: Object.keys(hashes).length, faults };
}

/** Files of a version that releases name → the hash that the page asks for. */
function namedFiles(
  part: PartName,
  version: string,
  releases: readonly ReleaseDocument[],
): readonly (readonly [string, string])[] {
  const prefix = `/${part}/${version}/`;
  const chunks = releases.flatMap(({ shell, remotes }): readonly (ChunkAssets | undefined)[] => {
    if (part === 'shell') return [shell, shell.later];
    const { live, previous, canary } = remotes[part] ?? {};
    return [live, previous, canary?.version].flatMap((remote) =>
      remote?.version === version
        ? [{ scripts: [remote.entry], styles: [] }, ...Object.values(remote.exposes), remote.later]
        : [],
    );
  });
  const named = chunks
    .flatMap((chunk) => [...(chunk?.scripts ?? []), ...(chunk?.styles ?? [])])
    .filter(({ url }) => url.startsWith(prefix))
    .map(({ url, integrity }) => [url.slice(prefix.length), integrity] as const);
  // Several releases name the same file.
  return [...new Map(named.map((each) => [each.join(' '), each])).values()];
}
