import type { ReleaseContent, ReleaseDocument } from '@countersign/contracts/release-document';
import { type ReferencedVersion, referencedVersions } from '@countersign/contracts/release-versions';
import { partNames } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';
import type { AuditEntry } from '../store/audit-entry.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';
import type { WithdrawnVersion } from '../store/stored-documents.ts';
import { liveVersion } from './release-content.ts';

// A page never refers to a withdrawn version, with two exceptions: the live state was restored from an older backup, or a
// stored release lost a race against the withdrawal or was left by an interruption.

/**
 * The versions that the entries of a log, oldest first, have withdrawn and not reinstated since. `live.json` has the same list;
 * after a restore from a backup, only the log is complete.
 */
export function withdrawnByLog(entries: readonly AuditEntry[]): readonly WithdrawnVersion[] {
  const found = new Map<string, WithdrawnVersion>();
  for (const { part: name, withdrawn = [], reinstated, at, who, why } of entries) {
    const part = partNames.find((known) => known === name);
    if (!part) continue;
    for (const version of withdrawn) {
      found.set(`${part} ${version}`, { part, version, at, who, ...(why === undefined ? {} : { why }) });
    }
    if (reinstated !== undefined) found.delete(`${part} ${reinstated}`);
  }
  return [...found.values()];
}

/** The withdrawn versions that a page refers to. */
export function withdrawnIn(
  content: ReleaseContent,
  withdrawn: readonly WithdrawnVersion[],
): readonly ReferencedVersion[] {
  return referencedVersions(content).filter((version) => isWithdrawn(withdrawn, version));
}

/**
 * The command that takes a withdrawn version off a page. A live one needs another in its place, which the releaser names for
 * `<version>`; a previous or canary one leaves with a repeated `withdraw`.
 */
export function takeOffCommand(content: ReleaseContent, { part, version }: ReferencedVersion): string {
  return liveVersion(part, content) === version
    ? `rollback ${part} <version>`
    : `withdraw ${part} ${version}`;
}

export function isWithdrawn(withdrawn: readonly WithdrawnVersion[], named: ReferencedVersion): boolean {
  return findWithdrawn(withdrawn, named) !== undefined;
}

function findWithdrawn(
  withdrawn: readonly WithdrawnVersion[],
  named: ReferencedVersion,
): WithdrawnVersion | undefined {
  return withdrawn.find((known) => isSameVersion(known, named));
}

export function isSameVersion(one: ReferencedVersion, other: ReferencedVersion): boolean {
  return one.part === other.part && one.version === other.version;
}

/** Throws a {@link ReleaseError} if the version is withdrawn. */
export function assertNotWithdrawn(withdrawn: readonly WithdrawnVersion[], named: ReferencedVersion): void {
  const found = findWithdrawn(withdrawn, named);
  if (!found) return;
  const { part, version, at, who, why } = found;
  const reason = why === undefined ? '' : ` (${why})`;
  throw new ReleaseError(
    `${part} ${version} was withdrawn by ${who} on ${at.slice(0, 10)}${reason}. Build another version, or allow this one again: reinstate ${part} ${version} --why "…".`,
  );
}

/**
 * Removes the files of withdrawn versions, and stored releases that refer to them. Every server of the store then responds
 * with 404, without a deny list. Can be repeated after an interruption.
 */
export async function removeWithdrawn(store: ReleaseStore): Promise<void> {
  const live = await store.readLive();
  if (!live) return;
  // Also if the live release names it, because such a page is not served.
  for (const { part, version } of live.withdrawn) await store.removeVersion(part, version);
  await Promise.all(
    (await store.releaseIds()).map(async (releaseId) => {
      const release = (await store.readRelease(releaseId))?.release;
      if (release) await removeIfWithdrawn(store, release, live);
    }),
  );
}

/** Removes a stored release that refers to a withdrawn version, unless it is live. */
export async function removeIfWithdrawn(
  store: ReleaseStore,
  release: ReleaseDocument,
  live: LiveState | undefined,
): Promise<void> {
  const refersToWithdrawn = withdrawnIn(release, live?.withdrawn ?? []).length > 0;
  const isLive = release.releaseId === live?.release.releaseId;
  if (refersToWithdrawn && !isLive) await store.removeRelease(release.releaseId);
}
