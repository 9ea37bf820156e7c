import type { ReferencedVersion } from '@countersign/contracts/release-versions';
import { ReleaseError } from '../platform/release-error.ts';
import { nextEntry, type AuditEntry } from '../store/audit-entry.ts';
import { missingLiveState, type ReleaseStore } from '../store/release-store.ts';
import { servePages } from '../store/serve-pages.ts';
import type { Author } from './deploy-release.ts';
import { takeOffCommand, withdrawnByLog, withdrawnIn } from './withdrawn-versions.ts';

/** Outcome of {@link acceptRestored}. */
interface AcceptedState {
  readonly entry: AuditEntry;
  /** Withdrawn versions that the accepted page refers to. While there are any, visitors keep the pages that they get now. */
  readonly withdrawnInPage: readonly (ReferencedVersion & {
    /** Command that takes the version off the page. */
    readonly takeOff: string;
  })[];
}

/**
 * Accepts a live state that is older than the log, such as one from a backup. Its new entry follows the newest one of the
 * log, so that the log stays complete. Versions that the log withdrew stay withdrawn. Throws a {@link ReleaseError} if the
 * live state is missing, or as new as the log.
 */
export async function acceptRestored(store: ReleaseStore, author: Author): Promise<AcceptedState> {
  const logged = await store.loggedEntries();
  const live = await store.readLive();
  if (!live) throw missingLiveState();
  const last = logged.at(-1);
  if (!last || last.sequence < live.entry.sequence || last.hash === live.entry.hash) {
    throw new ReleaseError('live.json is as new as the log, so there is nothing to accept.');
  }
  const { releaseId, releaseHash, sequence } = live.entry;
  const change = {
    at: new Date().toISOString(),
    ...author,
    action: 'restore',
    from: `entry ${last.sequence}`,
    to: `entry ${sequence}`,
  } as const;
  const entry = nextEntry(last, change, { releaseId, releaseHash });
  const isListed = ({ part, version }: ReferencedVersion) =>
    live.withdrawn.some((known) => known.part === part && known.version === version);
  const withdrawn = [...live.withdrawn, ...withdrawnByLog(logged).filter((each) => !isListed(each))];
  if ((await store.commit(live, live.release, entry, live.site, withdrawn)) === 'changed') {
    throw new ReleaseError('live.json was replaced by another releaser. Run "verify", then decide again.');
  }
  const withdrawnInPage = withdrawnIn(live.release, withdrawn).map((named) => ({
    ...named,
    takeOff: takeOffCommand(live.release, named),
  }));
  if (withdrawnInPage.length === 0) await servePages(store);
  return { entry, withdrawnInPage };
}
