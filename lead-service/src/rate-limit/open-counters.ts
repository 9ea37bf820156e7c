import type { Log } from '../platform/log.ts';
import type { Stores } from '../lead-store/open-stores.ts';
import { openOwnCounter, type Counters } from './counters.ts';
import { openSharedCounters } from './shared-counters.ts';

/** Opens counters in the database if instances share it, else in memory. */
export function openCounters({ database, spool }: Stores, log: Log): Counters {
  // A spool exists only if the database is shared.
  return spool === undefined
    ? { open: openOwnCounter, close: async () => undefined }
    : openSharedCounters(database.access, log);
}
