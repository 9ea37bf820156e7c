import type { Kysely } from 'kysely';
import { Registry } from 'prom-client';
import type { Tables } from '../database/tables.ts';
import type { Log } from '../platform/log.ts';
import { createPageReportCounter, type PageReportCounter } from './count-page-reports.ts';
import { watchLiveVersions } from './live-versions.ts';
import { openReportCounts } from './report-counts.ts';

/** What visitors saw of each version: counted from page reports and leads, for `watch` and for Prometheus. */
interface PageReports {
  readonly counter: PageReportCounter;
  /** The metrics of page reports. */
  readonly registry: Registry;
  /** Why the service is degraded, as sentences. */
  whyDegraded(): readonly string[];
}

/**
 * Opens the counts. Disposal writes the rest of them.
 *
 * @param livePage URL or path of the page that names the versions
 */
export function openPageReports(
  livePage: string | undefined,
  db: Kysely<Tables>,
  log: Log,
): PageReports & AsyncDisposable {
  const registry = new Registry();
  const live = watchLiveVersions(livePage, log);
  const stored = openReportCounts(db, log);
  const counter = createPageReportCounter([registry], live, stored);
  return {
    ...{ counter, registry },
    whyDegraded: () => live.whyDegraded(),
    async [Symbol.asyncDispose]() {
      await counter.settled();
      await stored.stop();
      live.stop();
    },
  };
}
