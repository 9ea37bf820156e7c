import { submissionEvents } from '../intake/intake.ts';
import type { Log } from '../platform/log.ts';

/** Remembers whether the last lead could be stored. */
interface StoreWatch extends Disposable {
  /** Whether the last lead, within the last minute, could not be stored. */
  refusesLeads(): boolean;
}

/** Milliseconds for which a failure counts. It expires, because a load balancer sends no leads to an unready service. */
const failurePeriod = 60_000;

/** @param clock monotonic, in milliseconds */
export function watchStore(log: Log, clock: () => number = () => performance.now()): StoreWatch {
  let refusedUntil = -Infinity;
  const subscription = submissionEvents.subscribe(log, ({ outcome }) => {
    refusedUntil = outcome === 'unavailable' ? clock() + failurePeriod : -Infinity;
  });
  return {
    refusesLeads: () => clock() < refusedUntil,
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}
