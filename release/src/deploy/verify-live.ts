import { chunksOf, versionsIn, servableVersions } from '@countersign/contracts/release-versions';
import { isComposedText } from '../page/compose-pages.ts';
import { integrityOf } from '../platform/integrity-of.ts';
import { hashPages, releaseIdPlaceholder, replaceInPages } from '../page/release-id.ts';
import type { LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { unlessDamaged } from '../store/stored-json.ts';

interface Verification {
  readonly liveState: LiveState;
  /** Number of verified files. */
  readonly files: number;
  /** Error messages. Empty if the live release is intact. */
  readonly errors: readonly string[];
}

/** Files that the store derives from the pages. The hash of a release does not cover them. */
const derivedFile = /^deltas\/|\.(?:br|gz)$/;

/**
 * Verifies the live release. Each file of its versions must have the hash that its publication recorded, and the release document
 * must list the same one. The pages must have the hash in the history entry, and be those that visitors get, with their compressed
 * copies. It sees neither the deltas, nor what the site servers of a bucket have copied.
 */
export async function verifyLive(store: ReleaseStore): Promise<Verification> {
  const liveState = await store.liveStore.require();
  const { release, historyEntry } = liveState;
  const errors: string[] = [];
  let files = 0;
  const versions = [release.shell, ...Object.values(release.remotes).flatMap(servableVersions)];
  const assets = versions.flatMap(chunksOf).flatMap(({ scripts, styles }) => [...scripts, ...styles]);
  const hashesInPage = new Map(assets.map(({ url, integrity }) => [url, integrity]));
  for (const { part, version } of versionsIn(release)) {
    const recorded = (await unlessDamaged(store.versionRecord(part, version)))?.files;
    if (recorded) errors.push(...(await store.findDamagedFiles({ part, version })));
    else errors.push(`${part} ${version} is in the page and has no valid record. Publish it again.`);
    for (const [file, hash] of Object.entries(recorded ?? {})) {
      files += 1;
      // Only scripts and styles are in the release document.
      const hashInPage = hashesInPage.get(`/${part}/${version}/${file}`) ?? hash;
      if (hashInPage !== hash)
        errors.push(
          `${part} ${version} is in the page with another ${file} than was published. Publish it again.`,
        );
    }
  }
  const stored = store.filesOf(release);
  // Text, because the release ID is replaced in it below. Keeps a byte order mark, because the hash covers it.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pages = new Map<string, string | Uint8Array>();
  const hashes: Record<string, string> = {};
  for (const name of (await stored.list()).filter((each) => !derivedFile.test(each))) {
    const bytes = (await stored.read(name)) ?? new Uint8Array();
    files += 1;
    pages.set(name, isComposedText(name) ? decoder.decode(bytes) : bytes);
    hashes[name] = integrityOf(bytes);
  }
  for (const damage of await store.visiblePages(release).findDamage(hashes))
    errors.push(
      `Visitors get another page than that of release ${release.releaseId}: theirs ${damage}. If no release is running now, promote the live version again.`,
    );
  // The hash was computed before the pages got the release ID, which it determines.
  const unnamed = replaceInPages(pages, release.releaseId, releaseIdPlaceholder);
  if (hashPages(unnamed) !== historyEntry.releaseHash)
    errors.push(
      `The pages of release ${release.releaseId} do not match their hash. Promote a version again.`,
    );
  // Another release became live meanwhile.
  if ((await store.liveStore.read())?.tag !== liveState.tag) return verifyLive(store);
  return { liveState, files, errors };
}
