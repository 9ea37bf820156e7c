import type { PartName } from '@countersign/contracts/remotes';
import type { ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';
import {
  chunksOf,
  referencedVersions,
  servableVersions,
  type ReferencedVersion,
} from '@countersign/contracts/release-versions';
import { hasIntegrity } from '../platform/file-hash.ts';
import { versionPrefix, type ReleaseStore } from '../store/release-store.ts';
import { verifyDeltas, type FindDictionary } from './verify-deltas.ts';
import { readStoredFiles } from './verify-files.ts';

/** A version, and the releases that refer to it. */
interface UsedVersion extends ReferencedVersion {
  readonly releases: readonly ReleaseDocument[];
}

/** All versions that these releases refer to, without duplicates, in order. */
export function usedVersions(releases: readonly ReleaseDocument[]): readonly UsedVersion[] {
  const used = new Map<string, { part: PartName; version: string; releases: ReleaseDocument[] }>();
  for (const release of releases) {
    for (const { part, version } of referencedVersions(release)) {
      const key = versionPrefix(part, version);
      const known = used.get(key) ?? { part, version, releases: [] };
      known.releases.push(release);
      used.set(key, known);
    }
  }
  return [...used.values()];
}

/**
 * Compares every file, compressed copy and delta of a version with the published hashes, and these with the claim of the version
 * and with the hashes in the releases that refer to it. Returns error messages.
 *
 * @param liveId ID of the live release
 */
export async function verifyVersion(
  store: ReleaseStore,
  { part, version, releases }: UsedVersion,
  liveId: string | undefined,
  findDictionary: FindDictionary,
): Promise<{ files: number; errors: readonly string[] }> {
  const name = `${part} ${version}`;
  const prefix = versionPrefix(part, version);
  const keys = await store.objects.list(prefix);
  const hashes = await store.hashesOf(part, version);
  if (!hashes || keys.length === 0) {
    const [first] = releases;
    const use = releases.some(({ releaseId }) => releaseId === liveId)
      ? 'live'
      : `named by release ${first?.releaseId}`;
    return { files: 0, errors: [`${name} is ${use} and not in the store.`] };
  }
  const { files, copies, deltas } = await readStoredFiles(store.objects, prefix, keys);
  const errors = [...(await verifyDeltas(name, { files, deltas }, findDictionary))];
  for (const [file, hash] of Object.entries(hashes)) {
    // Earlier builds may contain a file with the name of a compressed copy, which `files` lacks.
    const bytes = files.get(file) ?? (await store.objects.read(`${prefix}${file}`))?.bytes;
    if (!bytes) errors.push(`${name} has lost ${file}.`);
    else if (!hasIntegrity(bytes, hash)) errors.push(`${name} has another ${file} than was published.`);
  }
  for (const { name: copy, file, content } of copies) {
    const isPublishedFile = Object.hasOwn(hashes, copy) && !Object.hasOwn(hashes, file);
    if (isPublishedFile || (content && hasIntegrity(content, hashes[file]))) continue;
    errors.push(`${name} has another ${copy} than was published.`);
  }
  for (const file of files.keys()) {
    if (!Object.hasOwn(hashes, file)) errors.push(`${name} holds ${file}, which was not published with it.`);
  }
  if (!(await store.isAsClaimed(part, version, hashes))) {
    errors.push(`The record of ${name} lists other files than were published.`);
  }
  for (const [file, integrity] of referencedFiles(part, version, releases)) {
    if (hashes[file] !== integrity)
      errors.push(`${name} has a record of another ${file} than its release names.`);
  }
  return { files: Object.keys(hashes).length, errors };
}

/** Files of a version that releases refer to, with the hash that the page requires. */
function referencedFiles(
  part: PartName,
  version: string,
  releases: readonly ReleaseDocument[],
): readonly (readonly [string, string])[] {
  const prefix = `/${part}/${version}/`;
  const versions = releases.flatMap(
    ({ shell, remotes }): readonly (RemoteVersion | ReleaseDocument['shell'])[] => {
      if (part === 'shell') return [shell];
      const remote = remotes[part];
      return remote ? servableVersions(remote).filter((servable) => servable.version === version) : [];
    },
  );
  const named = versions
    .flatMap(chunksOf)
    .flatMap(({ scripts, styles }) => [...scripts, ...styles])
    .filter(({ url }) => url.startsWith(prefix))
    .map(({ url, integrity }) => [url.slice(prefix.length), integrity] as const);
  // Removes duplicates, because several releases refer to the same file.
  return [...new Map(named.map((each) => [each.join(' '), each])).values()];
}
