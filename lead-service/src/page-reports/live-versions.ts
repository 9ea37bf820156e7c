import { otherVersion } from '@countersign/contracts/page-report';
import { type Log, reasonOf } from '../platform/log.ts';
import { type PartVersion, readLiveVersions } from './live-page.ts';

/** Minimum milliseconds between the end of a read and the next one that an unknown version causes. */
const minReadInterval = 1_000;
/** Minimum milliseconds between a failed read and the next one. */
const retryInterval = 10_000;
/** Milliseconds between two periodic reads. */
const refreshInterval = 60_000;
/** Live, previous and canary, plus earlier versions, because visitors keep pages open. */
const maxVersionsPerPart = 8;

/** The versions that the live page names, and the last ones before. Visitors cannot add others to metrics. */
export type LiveVersions = ReturnType<typeof watchLiveVersions>;

/**
 * Reads the live page at the start, every minute, and when a report or a stored lead names an unknown version. If a read fails, the known
 * versions keep their metrics.
 *
 * @param location URL or path of the live page. Without one, every version is {@link otherVersion}
 */
export function watchLiveVersions(
  location: string | undefined,
  log: Log,
  now: () => number = () => performance.now(),
) {
  /**
   * Part → the versions with separate metrics: those that the live page names, and the last ones that it named before, so that reports of
   * pages opened earlier still count. The least recently named is the first.
   */
  const known = new Map<string, Set<string>>();
  let state: 'unknown' | 'readable' | 'unreadable' = 'unknown';
  let nextRead = -Infinity;
  let running: Promise<void> | undefined;

  const has = ({ part, version }: PartVersion) => known.get(part)?.has(version) ?? false;

  function keep({ part, version }: PartVersion): void {
    const versions = known.get(part) ?? new Set();
    known.set(part, versions);
    // Moves it to the end.
    versions.delete(version);
    versions.add(version);
    const [oldest] = versions;
    if (versions.size > maxVersionsPerPart && oldest !== undefined) versions.delete(oldest);
  }

  async function read(page: string): Promise<void> {
    try {
      for (const version of await readLiveVersions(page)) keep(version);
      if (state === 'unreadable') log.info('LIVE_PAGE can be read again');
      state = 'readable';
    } catch (error) {
      if (state !== 'unreadable') {
        log.warn('LIVE_PAGE cannot be read: versions not known yet are counted as "other"', {
          // May be quoted, because the page is public. `fetch` wraps the error of the connection.
          reason: reasonOf((error as Error).cause ?? error).replaceAll(/\s+/g, ' '),
        });
      }
      state = 'unreadable';
    }
    nextRead = now() + (state === 'readable' ? minReadInterval : retryInterval);
  }

  /** Concurrent calls share one read. */
  const refresh = () =>
    location === undefined ? undefined : (running ??= read(location).finally(() => (running = undefined)));

  void refresh();
  const timer = setInterval(() => void refresh(), refreshInterval).unref();
  return {
    /**
     * Reads the live page again if a version is unknown, at most once per second. `undefined` if there is nothing to wait for. Never
     * rejects.
     */
    refreshFor(versions: readonly PartVersion[]): Promise<void> | undefined {
      if (location === undefined || versions.every(has)) return undefined;
      return running || now() >= nextRead ? refresh() : undefined;
    },
    has,
    /** The version if it is known, otherwise {@link otherVersion}. */
    nameOf: (version: PartVersion) => (has(version) ? version.version : otherVersion),
    isReadable: () => state === 'readable',
    /** Why the service is degraded, as sentences. */
    whyDegraded: () =>
      state === 'unreadable'
        ? ['The live page (LIVE_PAGE) cannot be read. Reports of versions not known yet count as "other".']
        : [],
    stop: () => clearInterval(timer),
  };
}
