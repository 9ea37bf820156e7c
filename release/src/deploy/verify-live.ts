import { chunksOf, referencedVersions, servableVersions } from '@countersign/contracts/release-versions';
import { isComposedText } from '../page/compose-pages.ts';
import { hashPages, releaseIdPlaceholder, replaceInPages } from '../page/name-release.ts';
import { integrityOf } from '../store/file-hash.ts';
import { pagePrefix, versionPrefix, type LiveState, type ReleaseStore } from '../store/release-store.ts';

interface Verification {
  /** The verified release. */
  readonly live: LiveState;
  /** Number of verified files. */
  readonly files: number;
  /** Error messages. Empty if the live release is intact. */
  readonly errors: readonly string[];
}

/**
 * Verifies the live release: every file of the versions that it names has the published hash, the page names these hashes, and its
 * pages are those that were composed and those that visitors get.
 */
export async function verifyLive(store: ReleaseStore): Promise<Verification> {
  const live = await store.requireLive();
  const { release, entry } = live;
  const errors: string[] = [];
  let files = 0;
  const read = async (key: string) => (await store.objects.read(key))?.bytes;
  const all = [release.shell, ...Object.values(release.remotes).flatMap(servableVersions)];
  const assets = all.flatMap(chunksOf).flatMap(({ scripts, styles }) => [...scripts, ...styles]);
  const named = new Map(assets.map(({ url, integrity }) => [url, integrity]));
  for (const { part, version } of referencedVersions(release)) {
    const hashes = await store.hashesOf(part, version);
    if (!hashes) errors.push(`${part} ${version} is in the page and has no record. Publish it again.`);
    for (const [file, hash] of Object.entries(hashes ?? {})) {
      files += 1;
      const bytes = await read(`${versionPrefix(part, version)}${file}`);
      const expected = named.get(`/${part}/${version}/${file}`) ?? hash;
      if (!bytes) errors.push(`${part} ${version} has lost ${file}. Publish it again.`);
      else if (integrityOf(bytes) !== hash || hash !== expected)
        errors.push(`${part} ${version} has another ${file} than was published. Publish it again.`);
    }
  }
  const prefix = pagePrefix(release.releaseId);
  const names = (await store.objects.list(prefix))
    .map((key) => key.slice(prefix.length))
    .filter((name) => !/^deltas\/|\.(?:br|gz)$/.test(name));
  // Keeps a byte order mark, because the hash covers it.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pages = new Map<string, string | Uint8Array>();
  for (const name of names) {
    const bytes = (await read(`${prefix}${name}`)) ?? new Uint8Array();
    files += 1;
    pages.set(name, isComposedText(name) ? decoder.decode(bytes) : bytes);
    const { currentPrefix } = store.objects;
    const served = currentPrefix === undefined ? bytes : await read(`${currentPrefix}${name}`);
    if (!served || Buffer.compare(served, bytes) !== 0)
      errors.push(
        `Visitors get another ${name} than that of release ${release.releaseId}. If no release is running now, promote the live version again.`,
      );
  }
  const unnamed = replaceInPages(pages, release.releaseId, releaseIdPlaceholder);
  if (hashPages(unnamed) !== entry.releaseHash)
    errors.push(
      `The pages of release ${release.releaseId} do not match their hash. Promote a version again.`,
    );
  // Another release became live meanwhile.
  if ((await store.readLive())?.tag !== live.tag) return verifyLive(store);
  return { live, files, errors };
}
