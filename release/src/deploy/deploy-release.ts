import { setTimeout as delay } from 'node:timers/promises';
import {
  type ReleaseContent,
  releaseDocument,
  type ReleaseDocument,
} from '@countersign/contracts/release-document';
import { remoteNames } from '@countersign/contracts/remotes';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { composePages, type Pages } from '../page/compose-pages.ts';
import { hashPages, releaseIdOf, releaseIdPlaceholder, insertReleaseId } from '../page/name-release.ts';
import { errorMessage } from '../platform/file-error.ts';
import { IncompleteChange, ReleaseError } from '../platform/release-error.ts';
import { nextEntry, type AuditedChange, type AuditEntry } from '../store/audit-entry.ts';
import { newlyReferencedVersions } from '../store/referenced-versions.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';
import { applyChange, assertSameStart, type Change } from './change.ts';
import { describeChange } from './describe-change.ts';
import { keepPages, keepVersions } from './keep-from-prune.ts';
import { undoRelease } from './undo-release.ts';
import {
  assertAllowed,
  assertTakesOff,
  removeIfWithdrawn,
  removeWithdrawn,
  withdrawnAfter,
  withdrawnIn,
} from './withdrawn-versions.ts';

/** The releaser, and the reason for the change. */
export type Author = Pick<AuditedChange, 'who' | 'why'>;

/** Resolves the configuration of the next page from that of the live page, if the store has it. */
export type ResolveSiteConfig = (before: SiteConfig | undefined) => SiteConfig;

const maxAttempts = 200;

/**
 * Changes the page atomically. Writes all files of the new state first, then replaces `live.json` by compare-and-swap, then
 * serves the new pages. After a lost race it applies the change to the new live state and retries, so that concurrent
 * releases do not overwrite each other. A crash leaves the old page or the new one. A concurrent `prune` either keeps the
 * files of the new state, or is detected before the pages are served. Throws a {@link ReleaseError} if the change is not
 * possible, and an {@link IncompleteChange} if it failed after the commit.
 *
 * @param approve throws if the new state must not become live. Returns the violations that were forced, for the log
 * @param warn is told of each unsafe fragment of a live version, which the page is composed without
 */
export async function deployRelease(
  store: ReleaseStore,
  change: Change,
  resolveSiteConfig: ResolveSiteConfig,
  author: Author,
  approve: (
    next: ReleaseDocument,
    live: ReleaseDocument | undefined,
    site: SiteConfig,
  ) => Promise<readonly string[]> = async () => [],
  warn?: (message: string) => void,
): Promise<ReleaseDocument> {
  let first: ReleaseContent | undefined;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const startedAt = performance.now();
    const live = await store.readLiveForChange();
    if (attempt === 1) first = live?.release;
    else assertSameStart(change, first, live);
    const site = resolveSiteConfig(live?.site);
    const { release, releaseHash, pages } = await nextState(store, live, change, site, warn);
    const at = new Date().toISOString();
    const withdrawn = withdrawnAfter(live, release, change, { at, ...author });
    // A concurrent release may have withdrawn a version that the pages of this attempt refer to.
    const removePagesIfWithdrawn = async () => removeIfWithdrawn(store, release, await store.readLive());
    if (release.releaseId === live?.release.releaseId && releaseHash !== live.entry.releaseHash) {
      throw new ReleaseError(
        `Other pages with the ID of this release, ${release.releaseId}, are live. Build the part again under another version.`,
      );
    }
    if (releaseHash === live?.entry.releaseHash && withdrawn === live.withdrawn) {
      await store.addRelease(release, pages);
      await removePagesIfWithdrawn();
      await store.servePages();
      // Completes an interrupted withdrawal.
      if (change.action === 'withdraw') await removeWithdrawn(store);
      return release;
    }
    const forced = await approve(release, live?.release, site);
    const versions = newlyReferencedVersions(live?.release, release);
    throwIfAny(await keepVersions(store, versions));
    await store.addRelease(release, pages);
    throwIfAny(await keepPages(store, release, pages));
    const audited: AuditedChange = {
      at,
      ...author,
      ...(forced.length > 0 ? { forced: [...forced] } : {}),
      ...describeChange(change, live?.release, release),
    };
    const { releaseId } = release;
    const entry = nextEntry(live?.entry, audited, { releaseId, releaseHash });
    if ((await store.commit(live, release, entry, site, withdrawn)) === 'committed') {
      let undone: ReleaseError | undefined;
      try {
        // `prune` may have decided since the checks above.
        const lost = [...(await keepVersions(store, versions)), ...(await keepPages(store, release, pages))];
        await removePagesIfWithdrawn();
        if (lost.length > 0) undone = await undoRelease(store, live, entry.hash, lost);
        // Visitors keep the pages that they get now until the last withdrawn version is taken off.
        if (withdrawnIn(release, withdrawn).length === 0) await store.servePages();
        if (entry.withdrawn) await removeWithdrawn(store);
      } catch (cause) {
        throw incompleteChange(release, entry, cause);
      }
      if (undone) throw undone;
      return release;
    }
    await removePagesIfWithdrawn();
    // Randomised back-off that grows with the number of lost races.
    await delay(Math.random() * (performance.now() - startedAt) * Math.min(attempt, 10));
  }
  throw new ReleaseError('Too many concurrent releases; nothing was changed. Try again in a minute.');
}

/** The release that a change leads to, with its pages. Writes nothing. */
export async function nextState(
  store: ReleaseStore,
  live: Pick<LiveState, 'release' | 'withdrawn'> | undefined,
  change: Change,
  site: SiteConfig,
  warn?: (message: string) => void,
): Promise<{ release: ReleaseDocument; releaseHash: string; pages: Pages }> {
  await assertAllowed(store, live?.withdrawn ?? [], change);
  const content: ReleaseContent = await applyChange(store, live?.release, change);
  assertTakesOff(live, content, change);
  // Parsing sorts the keys as the schema does, because the release ID is a hash of the serialised document.
  const unnamed = releaseDocument.parse({ ...content, releaseId: releaseIdPlaceholder });
  const pages = await composePages(store, unnamed, site, { live: live?.release, warn });
  const releaseHash = hashPages(pages);
  const releaseId = releaseIdOf(releaseHash);
  return { release: { ...unnamed, releaseId }, releaseHash, pages: insertReleaseId(pages, releaseId) };
}

/** The error of a release that was interrupted after its commit. */
function incompleteChange(release: ReleaseDocument, entry: AuditEntry, cause: unknown): ReleaseError {
  const part = remoteNames.find((name) => name === entry.part);
  const version = part && release.remotes[part]?.live.version;
  const remedies = entry.withdrawn?.map((withdrawn) => `withdraw ${entry.part} ${withdrawn}`) ?? [
    version === undefined ? `promote shell ${release.shell.version}` : `promote ${part} ${version}`,
  ];
  return new IncompleteChange(
    `The change is committed as entry ${entry.sequence} of the log, but not complete: ${errorMessage(cause)} Do not repeat the command. Complete it: ${remedies.join(', ')}.`,
    { cause },
  );
}

function throwIfAny(messages: readonly string[]): void {
  if (messages.length > 0) throw new ReleaseError([...messages, 'Nothing was changed.'].join('\n'));
}
