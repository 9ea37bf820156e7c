import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { referencedVersions, type ReferencedVersion } from '@countersign/contracts/release-versions';
import { ReleaseError } from '../store/release-error.ts';
import { nextEntry, type RecordedChange } from '../store/history.ts';
import { NothingIsLive, versionPrefix, type ReleaseStore } from '../store/release-store.ts';
import { assertVersionName } from '../store/stored-version.ts';

const isNamed = (release: ReleaseDocument, { part, version }: ReferencedVersion) =>
  referencedVersions(release).some((named) => named.part === part && named.version === version);

/**
 * Removes a version that the page does not name, and every stored page that names it, so that each server of the store responds
 * with 404. Its record goes first, so that no other change can begin to use the version. Can be repeated after an interruption.
 * Throws a {@link ReleaseError} if the version is live, previous or canary.
 */
export async function removeVersion(
  store: ReleaseStore,
  removed: ReferencedVersion,
  author: Pick<RecordedChange, 'who' | 'origin' | 'why'>,
): Promise<ReleaseDocument> {
  const { part, version } = removed;
  assertVersionName(version);
  const record = await store.versionRecord(part, version);
  if (!record && (await store.objects.list(versionPrefix(part, version))).length === 0) {
    throw new ReleaseError(
      `${part} ${version} is not published, so there is nothing to remove. "history" lists the versions.`,
    );
  }
  await assertUnnamed(store, removed);
  await store.removeRecord(part, version);
  for (;;) {
    const live = await assertUnnamed(store, removed).catch(async (error: unknown) => {
      // Another change has made it live since the first look.
      if (record) await store.addRecord(part, version, record);
      throw error;
    });
    const { releaseId, releaseHash } = live.entry;
    const change = {
      at: new Date().toISOString(),
      ...author,
      action: 'remove',
      part,
      from: version,
    } as const;
    const entry = nextEntry(live.entry, change, { releaseId, releaseHash });
    if ((await store.commit(live, live.release, entry, live.site)) === 'changed') continue;
    for (const id of await store.releaseIds()) {
      const stored = (await store.readRelease(id))?.release;
      if (stored && isNamed(stored, removed)) await store.removeRelease(id);
    }
    await store.removeVersion(part, version);
    return live.release;
  }
}

/** Resolves to the live state. Throws a {@link ReleaseError} if it names the version. */
async function assertUnnamed(store: ReleaseStore, named: ReferencedVersion) {
  const live = await store.readLive();
  if (!live) throw new NothingIsLive();
  if (!isNamed(live.release, named)) return live;
  throw new ReleaseError(
    `${named.part} ${named.version} is live, the version before it, or a canary. Take it off the page first: promote or roll back to others.`,
  );
}
