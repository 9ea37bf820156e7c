import type { ReleaseContent, ReleaseDocument } from '@countersign/contracts/release-document';
import { type ReferencedVersion, referencedVersions } from '@countersign/contracts/release-versions';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import { ReleaseError } from '../platform/release-error.ts';
import type { AuditEntry } from '../store/audit-entry.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';
import type { WithdrawnVersion } from '../store/stored-documents.ts';
import { assertVersionName } from '../store/stored-version.ts';
import { removedVersions, type Change } from './change.ts';

/** The versions that a change withdraws. */
export function withdrawnBy(
  change: Change,
  before: ReleaseContent | undefined,
  after: ReleaseContent,
): readonly string[] {
  if (change.action === 'withdraw') return [change.version];
  if (change.action !== 'rollback' || 'expected' in change || !change.withdraw || !before) return [];
  return removedVersions(change.part, before, after);
}

/** The withdrawn versions after a change. Returns the same array if they are unchanged. */
export function withdrawnAfter(
  live: LiveState | undefined,
  after: ReleaseContent,
  change: Change,
  decision: Pick<WithdrawnVersion, 'at' | 'who' | 'why'>,
): readonly WithdrawnVersion[] {
  const withdrawn = live?.withdrawn ?? [];
  if (change.action === 'reinstate') return withdrawn.filter((known) => !isSame(known, change));
  const added = withdrawnBy(change, live?.release, after).flatMap((version) => {
    const named = 'part' in change && { part: change.part, version };
    return named && !find(withdrawn, named) ? [{ ...named, ...decision }] : [];
  });
  return added.length > 0 ? [...withdrawn, ...added] : withdrawn;
}

/** The versions that the entries of a log, oldest first, have withdrawn and not reinstated. */
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

/** Throws a {@link ReleaseError} if a change would release a withdrawn version, or withdraw an unknown one. */
export async function assertAllowed(
  store: ReleaseStore,
  withdrawn: readonly WithdrawnVersion[],
  change: Change,
): Promise<void> {
  if (change.action === 'withdraw' || change.action === 'reinstate') {
    const { action, part, version } = change;
    assertVersionName(version);
    if (find(withdrawn, change)) return;
    if (action === 'reinstate') throw new ReleaseError(`${part} ${version} is not withdrawn.`);
    if (!(await store.hashesOf(part, version))) {
      throw new ReleaseError(
        `${part} ${version} is not published, so there is nothing to withdraw. "history" lists the versions.`,
      );
    }
    return;
  }
  for (const named of releasedBy(change)) assertNotWithdrawn(withdrawn, named);
}

/** The withdrawn versions that a page refers to. */
export function withdrawnIn(
  content: ReleaseContent,
  withdrawn: readonly WithdrawnVersion[],
): readonly ReferencedVersion[] {
  return referencedVersions(content).filter((named) => find(withdrawn, named));
}

/** The command that takes a withdrawn version off a page. */
export function takeOff(content: ReleaseContent, { part, version }: ReferencedVersion): string {
  return liveVersion(part, content) === version
    ? `rollback ${part} <version>`
    : `withdraw ${part} ${version}`;
}

/**
 * Throws a {@link ReleaseError} if a change makes a withdrawn version live, or keeps every withdrawn version of the page. A
 * page has them after its live state was restored from a backup.
 */
export function assertTakesOff(
  live: Pick<LiveState, 'release' | 'withdrawn'> | undefined,
  after: ReleaseContent,
  change: Change,
): void {
  if (!live) return;
  const { release: before, withdrawn } = live;
  for (const part of partNames) {
    const version = liveVersion(part, after);
    if (version !== undefined && version !== liveVersion(part, before))
      assertNotWithdrawn(withdrawn, { part, version });
  }
  const left = withdrawnIn(after, withdrawn).filter(
    (named) => change.action !== 'reinstate' || !isSame(named, change),
  );
  if (left.length === 0 || left.length < withdrawnIn(before, withdrawn).length) return;
  const named = left.map(({ part, version }) => `${part} ${version}`).join(', ');
  const remedies = left.map((each) => takeOff(before, each)).join(', ');
  throw new ReleaseError(
    `The page refers to withdrawn versions: ${named}. Take them off first: ${remedies}.`,
  );
}

function liveVersion(part: PartName, { shell, remotes }: ReleaseContent): string | undefined {
  return part === 'shell' ? shell.version : remotes[part]?.live.version;
}

/** Throws a {@link ReleaseError} if the version is withdrawn. */
export function assertNotWithdrawn(withdrawn: readonly WithdrawnVersion[], named: ReferencedVersion): void {
  const found = find(withdrawn, named);
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
  for (const { part, version } of live.withdrawn) await store.removeVersion(part, version);
  await Promise.all(
    (await store.releaseIds()).map(async (releaseId) => {
      const release = (await store.readRelease(releaseId))?.release;
      if (release) await removeIfWithdrawn(store, release, live);
    }),
  );
}

/** Removes a stored release if it refers to a withdrawn version. */
export async function removeIfWithdrawn(
  store: ReleaseStore,
  release: ReleaseDocument,
  live: LiveState | undefined,
): Promise<void> {
  const names = referencedVersions(release).some((named) => find(live?.withdrawn ?? [], named));
  if (names && release.releaseId !== live?.release.releaseId) await store.removeRelease(release.releaseId);
}

/** The versions that a change makes live, for all visitors or as a canary. */
function releasedBy(change: Change): readonly ReferencedVersion[] {
  // A canary that equals its snapshot is not withdrawn.
  if ('expected' in change) return [];
  switch (change.action) {
    case 'promote':
      return Object.entries(change.versions).map(([part, version]) => ({ part: part as PartName, version }));
    case 'canary':
      return [change];
    case 'rollback':
      return change.version === undefined ? [] : [{ part: change.part, version: change.version }];
    default:
      return [];
  }
}

function find(
  withdrawn: readonly WithdrawnVersion[],
  named: ReferencedVersion,
): WithdrawnVersion | undefined {
  return withdrawn.find((known) => isSame(known, named));
}

function isSame(one: ReferencedVersion, other: ReferencedVersion): boolean {
  return one.part === other.part && one.version === other.version;
}
