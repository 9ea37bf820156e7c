import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ReleaseDocument } from '@countersign/contracts/release-document';
import { liveVersionOf, stateOf } from '@countersign/contracts/release-versions';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { writeDeltas } from '../page/write-deltas.ts';
import { errorMessage } from '../platform/errors.ts';
import { IncompleteChange, ReleaseError } from '../platform/release-error.ts';
import type { Attribution, HistoryEntry } from '../store/stored-documents.ts';
import { addedVersions } from '../store/versions.ts';
import { lostEveryRace, type LiveState } from '../store/live-store.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { partsOf, type Change } from './change.ts';
import { describeChange } from './describe-change.ts';
import { assertNotFrozen } from './freeze.ts';
import { nextRelease } from './next-release.ts';

/** Resolves the configuration of the next page from that of the live page, if the store has it. */
export type ResolveSiteConfig = (before: SiteConfig | undefined) => SiteConfig;

/** Throws if the next release must not become live. Returns the violations that were overridden, for the history. */
export type PreDeployCheck = (
  next: ReleaseDocument,
  liveState: LiveState | undefined,
  siteConfig: SiteConfig,
) => Promise<readonly string[]>;

/** Another change of the same part was committed since the releaser decided. Nothing was changed. */
export class LostRace extends ReleaseError {}

/**
 * Milliseconds after which no further attempt begins. A check on a busy machine can take minutes. The check of a later attempt is
 * shorter, because it opens only those sets of versions that no earlier one has opened.
 */
const limit = 600_000;

/**
 * Changes the page atomically. Writes all files of the new release first, then replaces `live.json` by compare-and-swap, then
 * links the new pages. After a lost race it applies the change to the new live state and retries, so that concurrent
 * releases do not overwrite each other. A crash leaves the old page or the new one. Resolves if the change is done. Throws a
 * {@link LostRace} if another release changed what this one was decided on, another {@link ReleaseError} if the change is refused or
 * lost too many races, and an {@link IncompleteChange} if it failed after the commit.
 */
export async function deployRelease(
  store: ReleaseStore,
  change: Change,
  resolveSiteConfig: ResolveSiteConfig,
  attribution: Attribution,
  check: PreDeployCheck = async () => [],
): Promise<ReleaseDocument> {
  const end = performance.now() + limit;
  let attempts = 0;
  while (performance.now() < end) {
    attempts += 1;
    const liveState = await store.liveStore.read();
    store.forgetHashes();
    assertUnchanged(change, liveState);
    const siteConfig = resolveSiteConfig(liveState?.siteConfig);
    const next = await nextRelease(store, liveState, change, siteConfig);
    const { release, releaseHash } = next;
    if (releaseHash === liveState?.historyEntry.releaseHash) {
      // The page is so already. This completes what an interrupted release has left.
      await store.addRelease(release, next.pages);
      await store.linkLivePages();
      return release;
    }
    const ignoredFreezes = assertNotFrozen(liveState, change);
    const forced = [...ignoredFreezes, ...(await check(release, liveState, siteConfig))];
    // After the check, whose duration says nothing about how fast others commit.
    const startedAt = performance.now();
    const added = addedVersions(liveState?.release, release);
    await store.addRelease(release, next.pages);
    await writeDeltas(store, liveState, release, added);
    const described = describeChange(change, liveState?.release, release);
    const recorded = { ...attribution, ...(forced.length > 0 && { forced }), ...described };
    const committed = await store.liveStore.commit(liveState, recorded, { release, releaseHash, siteConfig });
    // `undefined` after a lost race.
    if (committed !== undefined) {
      await store.linkLivePages().catch((cause: unknown) => {
        throw incompleteChange(change, release, committed, cause);
      });
      return release;
    }
    // Randomised back-off that grows with the number of lost races.
    await delay(Math.random() * (performance.now() - startedAt) * Math.min(attempts, 10));
  }
  throw lostEveryRace(attempts);
}

/** Throws {@link LostRace} if a part no longer has the state that a change was decided on. */
function assertUnchanged(change: Change, now: LiveState | undefined): void {
  if (!now) return;
  const part = partsOf(change).find((each) => {
    const expected = change.expected?.[each];
    return expected && !isDeepStrictEqual(expected, stateOf(each, now.release));
  });
  if (!part) return;
  const { who, sequence } = now.historyEntry;
  throw new LostRace(
    `${part} was changed while this change of it was prepared; the newest entry of the history is ${sequence}, by ${who}. Nothing was changed. Check "status", then decide again.`,
  );
}

/** The error of a release that was interrupted after its commit. To promote live versions changes nothing, not even a canary. */
function incompleteChange(
  change: Change,
  release: ReleaseDocument,
  { sequence }: HistoryEntry,
  cause: unknown,
): ReleaseError {
  const promoted = partsOf(change).map((part) => `${part} ${liveVersionOf(part, release)}`);
  return new IncompleteChange(
    `The change is committed as entry ${sequence} of the history, but not complete: ${errorMessage(cause)} Do not repeat the command. If "history" shows no newer change of ${partsOf(change).join(' and ')}, complete it: promote ${promoted.join(' ')}.`,
    { cause },
  );
}
