import { isDeepStrictEqual } from 'node:util';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { referencedVersions } from '@countersign/contracts/release-versions';
import type { AuditEntry } from '../store/audit-entry.ts';
import { versionPrefix, type LiveState, type ReleaseStore } from '../store/release-store.ts';
import type { WithdrawnVersion } from '../store/stored-documents.ts';
import { withdrawnByLog } from './withdrawn-versions.ts';
import { verifyServedPages } from './verify-served-pages.ts';

/**
 * Compares `live.json` with the log, the release document, the pages served at the root of the site, and the withdrawn
 * versions. Returns error messages.
 *
 * @param releases release ID → stored release document
 * @param entries readable entries of the log
 */
export async function verifyLive(
  store: ReleaseStore,
  live: LiveState,
  releases: ReadonlyMap<string, ReleaseDocument>,
  entries: readonly AuditEntry[],
): Promise<readonly string[]> {
  const { release, entry, withdrawn } = live;
  const { releaseId } = release;
  const errors: string[] = [];
  if (entry.releaseId !== releaseId) {
    errors.push(`Release ${releaseId} is live, but the log says ${entry.releaseId}.`);
  }
  if (!isDeepStrictEqual(releases.get(releaseId), release)) {
    errors.push(`live.json has another document of release ${releaseId} than releases/.`);
  }
  errors.push(...(await verifyRoot(store, live, entries)));
  for (const { part, version, who } of withdrawnByLog(entries)) {
    if (withdrawn.some((known) => known.part === part && known.version === version)) continue;
    errors.push(
      `${part} ${version} was withdrawn by ${who}, and live.json does not list it. Restore live.json from a backup.`,
    );
  }
  for (const version of withdrawn) errors.push(...(await withdrawnErrors(store, version, releases)));
  return errors;
}

/** Number of earlier releases whose pages may be served in place of the live ones, after an interruption. */
const earlierReleases = 20;

/** Compares the pages at the root of the site with the live release. Again if another release became live meanwhile. */
async function verifyRoot(
  store: ReleaseStore,
  { release, entry, tag }: LiveState,
  entries: readonly AuditEntry[],
): Promise<readonly string[]> {
  const newestFirst = entries.map(({ releaseId }) => releaseId).reverse();
  const earlier = [...new Set(newestFirst)].filter((id) => id !== release.releaseId);
  const errors = await verifyServedPages(store, release.releaseId, earlier.slice(0, earlierReleases));
  const now = await store.readLive();
  return !now || now.tag === tag ? errors : verifyRoot(store, now, [...entries, entry]);
}

/** Errors for a withdrawn version, and for pages that refer to it, which an interrupted withdrawal left in the store. */
async function withdrawnErrors(
  store: ReleaseStore,
  { part, version }: WithdrawnVersion,
  releases: ReadonlyMap<string, ReleaseDocument>,
): Promise<readonly string[]> {
  const again = `Run "withdraw ${part} ${version}" again.`;
  const prefix = versionPrefix(part, version);
  const left = await store.objects.list(prefix);
  const isThere = left.length > 0 || (await store.hashesOf(part, version)) !== undefined;
  return [
    ...(isThere ? [`${part} ${version} is withdrawn and still in the store. ${again}`] : []),
    ...[...releases.values()]
      .filter((release) =>
        referencedVersions(release).some((it) => it.part === part && it.version === version),
      )
      .map(({ releaseId }) => `Release ${releaseId} names ${part} ${version}, which is withdrawn. ${again}`),
  ];
}
