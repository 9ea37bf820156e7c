import type { Log } from '../log.ts';
import type { Stores } from '../store/open-stores.ts';
import { openOwnCounter, type Counters } from './counters.ts';
import { openSharedCounters } from './shared-counters.ts';

/** Counters where all instances of the service see them: in the database when it is shared, in memory when it is not. */
export function openCounters({ database, spool }: Stores, log: Log): Counters {
  // Only who shares a database has a spool.
  return spool === undefined
    ? { open: openOwnCounter, close: async () => undefined }
    : openSharedCounters(database.access, log);
}
