import type { ReleaseContent } from '@countersign/contracts/release-document';
import { liveVersionOf, stateOf } from '@countersign/contracts/release-versions';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import { changedParts, type HistoryEntry } from '../store/stored-documents.ts';
import type { LiveState } from '../store/live-store.ts';
import { ReleaseError } from '../platform/release-error.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { partsInCanary, partsOf, type Change, type RollbackTargets } from './change.ts';

/**
 * The rollback of a part, with all parts that belong to it: those whose canaries visitors get together with its own or, without a
 * version, those that became live by the same change and still are. Throws a {@link ReleaseError} if the version was never live.
 */
export async function planRollback(
  store: ReleaseStore,
  liveState: LiveState,
  part: PartName,
  version: string | undefined,
): Promise<Extract<Change, { kind: 'rollback' }>> {
  const { release } = liveState;
  if (version !== undefined) await assertWasLive(store, liveState, part, version);
  const inCanary = partsInCanary(release, part);
  const hasCanary = stateOf(part, release)?.canary !== undefined;
  const together: RollbackTargets =
    hasCanary || version !== undefined
      ? Object.fromEntries(inCanary.map((each) => [each, undefined]))
      : await readVersionsBefore(store, liveState, part);
  const versions = { ...together, [part]: version ?? together[part] };
  const parts = partsOf({ versions });
  // Without a version, or of several parts, it was decided on their present state, and is refused if that changes.
  const isRelative = parts.length > 1 || version === undefined;
  const states = parts.map((each) => [each, stateOf(each, release)] as const);
  const expected: Change['expected'] = isRelative ? Object.fromEntries(states) : undefined;
  return { kind: 'rollback', versions, expected };
}

/** Throws a {@link ReleaseError} if visitors never got a version, because neither a freeze nor the check stops a rollback. */
async function assertWasLive(
  store: ReleaseStore,
  liveState: LiveState,
  part: PartName,
  version: string,
): Promise<void> {
  const showed = (release: ReleaseContent) => {
    const state = stateOf(part, release);
    return state?.live === version || state?.previous === version;
  };
  if (!stateOf(part, liveState.release) || showed(liveState.release)) return;
  const kept = new Set(await store.releaseIds());
  for await (const { releaseId } of store.liveStore.history(liveState)) {
    if (kept.size === 0) break;
    // `prune` has removed others, and a release that was not committed has no entry.
    const stored = kept.delete(releaseId) && (await store.readRelease(releaseId));
    if (stored && showed(stored)) return;
  }
  throw new ReleaseError(
    `${part} ${version} was not live for everybody in any stored release, so it is no way back. Nothing was changed. Promote it, which checks it: promote ${part} ${version}.`,
  );
}

/**
 * If one change made the live versions of several parts live, among them this part: the versions of all before that change, or
 * `undefined` for each if the release before is damaged or removed. Empty if the part became live alone.
 */
async function readVersionsBefore(
  store: ReleaseStore,
  liveState: LiveState,
  part: PartName,
): Promise<RollbackTargets> {
  const found = await findNewestPromotion(store, liveState, part);
  if (!found) return {};
  const { promotion, before } = found;
  const promoted = await store.readRelease(promotion.releaseId);
  const isLive = (each: PartName) =>
    promoted && liveVersionOf(each, promoted) === liveVersionOf(each, liveState.release);
  const changed = changedParts(promotion);
  const together = partNames.filter((each) => changed.includes(each) && isLive(each));
  if (together.length < 2 || !together.includes(part)) return {};
  const stored = before && (await store.readRelease(before.releaseId));
  if (!stored) return Object.fromEntries(together.map((each) => [each, undefined]));
  const versions = together.map((each) => [each, liveVersionOf(each, stored)] as const);
  return Object.fromEntries(versions.filter(([, version]) => version !== undefined));
}

/** The newest promotion of a part, and the change before it unless its entry is lost. `undefined` if the history has none. */
async function findNewestPromotion(store: ReleaseStore, liveState: LiveState, part: PartName) {
  let promotion: HistoryEntry | undefined;
  for await (const entry of store.liveStore.history(liveState)) {
    if (promotion)
      return { promotion, before: entry.sequence === promotion.sequence - 1 ? entry : undefined };
    if (entry.action === 'promote' && changedParts(entry).includes(part)) promotion = entry;
  }
  return undefined;
}
