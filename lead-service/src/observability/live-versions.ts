import type { Log } from '../log.ts';
import { KnownVersions, type PartVersion } from './known-versions.ts';
import { readLivePage } from './live-page.ts';

/** Stands for every version that is not known. */
export const otherVersion = 'other';

/** Least time between two looks that reports ask for, in milliseconds. */
const lookInterval = 1_000;
/** The same while the page cannot be read. */
const retryInterval = 10_000;
/** How often the page is read without being asked for, in milliseconds. */
const refreshInterval = 60_000;
/** Live, previous, canary, and what was live before: pages stay open. */
const maxVersionsPerPart = 8;

/** Knows which versions are live, previous or canary, so that reports cannot add versions to the metrics. */
export interface LiveVersions {
  /** Looks at the live page again where a version is not known, at most once a second for all reports. */
  refreshFor(versions: readonly PartVersion[]): Promise<void>;
  /** The version, or {@link otherVersion}. */
  nameOf(version: PartVersion): string;
  /** Whether versions can be told apart: the page could be read at the last look. */
  isReadable(): boolean;
  /** Why the service is degraded, as sentences. */
  reasons(): readonly string[];
  /** Is called with each version that is no longer known. */
  onForget(forget: (forgotten: PartVersion) => void): void;
  stop(): void;
}

/**
 * Reads the live page now, every minute, and when a report names a version that is not known. While it cannot be read,
 * the versions that are known keep their figures.
 *
 * @param location address or path of the live page. Without one, every version is {@link otherVersion}
 */
export function watchLiveVersions(
  location: string | undefined,
  log: Log,
  now: () => number = () => performance.now(),
): LiveVersions {
  let forget: (forgotten: PartVersion) => void = () => undefined;
  const known = new KnownVersions(maxVersionsPerPart, (version) => forget(version));
  let state: 'unknown' | 'readable' | 'unreadable' = 'unknown';
  let nextLook = -Infinity;
  let running: Promise<void> | undefined;

  async function look(page: string): Promise<void> {
    try {
      for (const version of await readLivePage(page)) known.keep(version);
      if (state === 'unreadable') log.info('LIVE_PAGE can be read again');
      state = 'readable';
    } catch (error) {
      if (state !== 'unreadable') {
        log.warn('LIVE_PAGE cannot be read: versions not known yet are counted as "other"', {
          reason: reasonOf(error),
        });
      }
      state = 'unreadable';
    }
    nextLook = now() + (state === 'readable' ? lookInterval : retryInterval);
  }

  async function refresh(): Promise<void> {
    if (location === undefined) return;
    // However many ask at once, the page is read once.
    running ??= look(location).finally(() => (running = undefined));
    await running;
  }

  void refresh();
  const timer = setInterval(() => void refresh(), refreshInterval).unref();
  return {
    async refreshFor(versions) {
      if (versions.every((version) => known.has(version))) return;
      if (running || now() >= nextLook) await refresh();
    },
    nameOf: (version) => (known.has(version) ? version.version : otherVersion),
    isReadable: () => state === 'readable',
    reasons: () =>
      state === 'unreadable'
        ? ['The live page (LIVE_PAGE) cannot be read. Reports of versions not known yet count as "other".']
        : [],
    onForget: (to) => void (forget = to),
    stop: () => clearInterval(timer),
  };
}

/** The page is public, so the message of an error holds nothing personal. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`.replaceAll(/\s+/g, ' ');
}
