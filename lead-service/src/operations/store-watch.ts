import type { LeadStore } from '../store/lead-store.ts';

/** Knows whether leads can be stored, as far as the last of them has shown. */
export interface StoreWatch {
  /** The same store, whose outcomes are noted. */
  watched(store: Pick<LeadStore, 'add'>): Pick<LeadStore, 'add'>;
  /** The last lead could not be stored, and that is not long ago. */
  refusesLeads(): boolean;
}

/** Nobody sends leads to a service that says it takes none: after this time (in milliseconds) the next may show. */
const memory = 60_000;

/** @param clock milliseconds */
export function createStoreWatch(clock: () => number = () => performance.now()): StoreWatch {
  let refusedUntil = -Infinity;
  return {
    watched: (store) => ({
      async add(lead) {
        const outcome = await store.add(lead);
        refusedUntil = outcome.kind === 'unavailable' ? clock() + memory : -Infinity;
        return outcome;
      },
    }),
    refusesLeads: () => clock() < refusedUntil,
  };
}
