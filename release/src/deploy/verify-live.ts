import { isDeepStrictEqual } from 'node:util';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import type { AuditEntry } from './store/audit-entry.ts';
import { namedVersions } from './flip/named-versions.ts';
import {
  formerRecordFiles,
  versionPrefix,
  type LiveState,
  type ReleaseStore,
} from './store/release-store.ts';
import type { WithdrawnVersion } from './store/stored-documents.ts';
import { verifyServedPages } from './verify-served-pages.ts';

/**
 * Compares what `live.json` says with the rest of the store: the log, the release document, the pages that are served at
 * the root of the site, and what must not be there any more. Returns what is wrong, in sentences.
 *
 * @param releases the stored release documents by their names
 * @param entries of the log, as far as they can be read
 */
export async function verifyLive(
  store: ReleaseStore,
  live: LiveState,
  releases: ReadonlyMap<string, ReleaseDocument>,
  entries: readonly AuditEntry[],
): Promise<readonly string[]> {
  const { release, entry, withdrawn } = live;
  const { releaseId } = release;
  const faults: string[] = [];
  if (entry.releaseId !== releaseId) {
    faults.push(`Release ${releaseId} is live, but the log says ${entry.releaseId}.`);
  }
  if (!isDeepStrictEqual(releases.get(releaseId), release)) {
    faults.push(`live.json has another document of release ${releaseId} than releases/.`);
  }
  faults.push(...(await verifyRoot(store, live, entries)));
  for (const version of withdrawn) faults.push(...(await withdrawnFaults(store, version, releases)));
  return faults;
}

/** Looks again when another release became live meanwhile. */
async function verifyRoot(
  store: ReleaseStore,
  { release, entry, tag }: LiveState,
  entries: readonly AuditEntry[],
): Promise<readonly string[]> {
  const states = entries.map(({ releaseId }) => releaseId).filter((id) => id !== release.releaseId);
  const earlier = [...new Set(states.reverse())].slice(0, 20);
  const faults = await verifyServedPages(store, release.releaseId, earlier);
  const now = await store.readLive();
  return !now || now.tag === tag ? faults : verifyRoot(store, now, [...entries, entry]);
}

/** A withdrawn version, and pages that name it, which an interrupted withdrawal has left in the store. */
async function withdrawnFaults(
  store: ReleaseStore,
  { part, version }: WithdrawnVersion,
  releases: ReadonlyMap<string, ReleaseDocument>,
): Promise<readonly string[]> {
  const again = `Run "withdraw ${part} ${version}" again.`;
  const prefix = versionPrefix(part, version);
  const left = (await store.objects.list(prefix)).filter(
    (key) => key !== `${prefix}${formerRecordFiles.claim}`,
  );
  const isThere = left.length > 0 || (await store.hashesOf(part, version)) !== undefined;
  return [
    ...(isThere ? [`${part} ${version} is withdrawn and still in the store. ${again}`] : []),
    ...[...releases.values()]
      .filter((release) => namedVersions(release).some((it) => it.part === part && it.version === version))
      .map(({ releaseId }) => `Release ${releaseId} names ${part} ${version}, which is withdrawn. ${again}`),
  ];
}
