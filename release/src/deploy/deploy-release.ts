import { setTimeout as delay } from 'node:timers/promises';
import { releaseDocument, type ReleaseDocument } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import { ReleaseFault } from '../release-fault.ts';
import { nextEntry, type AuditedChange } from '../store/audit-entry.ts';
import { keepPages, keepVersions } from '../keep-from-prune.ts';
import type { LiveState, ReleaseStore } from '../store/release-store.ts';
import { applyChange, type Change, type ReleaseContent } from './change.ts';
import { composePages, type Pages } from './compose-pages.ts';
import { describeChange } from './describe-change.ts';
import { hashPages, nameRelease, unnamedRelease, withName } from './name-release.ts';
import { newVersions } from './named-versions.ts';
import { undoRelease } from './undo-release.ts';
import { assertAllowed, removeIfWithdrawn, removeWithdrawn, withdrawnAfter } from './withdrawn-versions.ts';

/** Who makes a change, and why. */
export type Author = Pick<AuditedChange, 'who' | 'why'>;

/** The configuration of the page that is to follow, from that of the live page, if there is one and it says so. */
export type SiteAfter = (before: SiteConfig | undefined) => SiteConfig;

const attempts = 200;

/**
 * Changes the page in one step. Everything that the new state needs is written first and changes nothing for visitors;
 * then one object is replaced, and then the pages of what is live are served. If somebody else has released meanwhile,
 * the change is applied anew to what is live by then, configuration included, so that nothing is lost. Broken off
 * anywhere, the page is the one before or the one after. A `prune` at the same time either leaves what the new state
 * needs, or is noticed before the pages are served. Throws a {@link ReleaseFault} when the change is not possible.
 *
 * @param approve looks at the state that is about to become live, and throws when it must not. Returns what speaks
 *   against it and was forced, for the log
 */
export async function flipRelease(
  store: ReleaseStore,
  change: Change,
  siteAfter: SiteAfter,
  author: Author,
  approve: (
    next: ReleaseDocument,
    live: ReleaseDocument | undefined,
    site: SiteConfig,
  ) => Promise<readonly string[]> = async () => [],
): Promise<ReleaseDocument> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const begun = performance.now();
    const live = await store.readLive();
    const site = siteAfter(live?.site);
    const { release, releaseHash, pages } = await nextState(store, live, change, site);
    const at = new Date().toISOString();
    const withdrawn = withdrawnAfter(live, release, change, { at, ...author });
    // A concurrent release may have withdrawn a version that this attempt has just written into pages.
    const removePagesIfWithdrawn = async () => removeIfWithdrawn(store, release, await store.readLive());
    if (release.releaseId === live?.release.releaseId && withdrawn === live.withdrawn) {
      await store.addRelease(release, pages);
      await removePagesIfWithdrawn();
      await store.servePages();
      // Finishes a withdrawal that was interrupted.
      if (change.action === 'withdraw') await removeWithdrawn(store);
      return release;
    }
    const forced = await approve(release, live?.release, site);
    const versions = newVersions(live?.release, release);
    refuse(await keepVersions(store, versions));
    await store.addRelease(release, pages);
    refuse(await keepPages(store, release, pages));
    const audited: AuditedChange = {
      at,
      ...author,
      ...(forced.length > 0 ? { forced: [...forced] } : {}),
      ...describeChange(change, live?.release, release),
    };
    const { releaseId } = release;
    const entry = nextEntry(live?.entry, audited, { releaseId, releaseHash });
    if ((await store.commit(live, release, entry, site, withdrawn)) === 'committed') {
      // Prune may have decided since the looks above.
      const lost = [...(await keepVersions(store, versions)), ...(await keepPages(store, release, pages))];
      await removePagesIfWithdrawn();
      if (lost.length > 0) await undoRelease(store, live, entry.hash, site, lost);
      await store.servePages();
      if (entry.withdrawn) await removeWithdrawn(store);
      return release;
    }
    await removePagesIfWithdrawn();
    // The more have been faster, the longer it pays to let them finish.
    await delay(Math.random() * (performance.now() - begun) * Math.min(attempt, 10));
  }
  throw new ReleaseFault('Others release all the time. Nothing was changed; try again in a minute.');
}

/** The state that a change would lead to, with its name and its pages. Nothing is written. */
export async function nextState(
  store: ReleaseStore,
  live: Pick<LiveState, 'release' | 'withdrawn'> | undefined,
  change: Change,
  site: SiteConfig,
): Promise<{ release: ReleaseDocument; releaseHash: string; pages: Pages }> {
  await assertAllowed(store, live?.withdrawn ?? [], change);
  const content: ReleaseContent = await applyChange(store, live?.release, change);
  // In the order of the schema, however the state came about: the name is made from the pages as they are written.
  const unnamed = releaseDocument.parse({ ...content, releaseId: unnamedRelease });
  const pages = await composePages(store, unnamed, site);
  const releaseHash = hashPages(pages);
  const releaseId = nameRelease(releaseHash);
  return { release: { ...unnamed, releaseId }, releaseHash, pages: withName(pages, releaseId) };
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new ReleaseFault([...faults, 'Nothing was changed.'].join('\n'));
}
