import type { LeadStore } from '../store/lead-store.ts';
import type { Delivery } from './create-delivery.ts';

/** A store that says when a lead is there to be handed on. One in the spool is found when it has moved over. */
export function deliverAtOnce(
  store: Pick<LeadStore, 'add'>,
  delivery: Pick<Delivery, 'nudge'>,
): Pick<LeadStore, 'add'> {
  return {
    async add(lead) {
      const outcome = await store.add(lead);
      if (outcome.kind === 'stored') delivery.nudge();
      return outcome;
    },
  };
}
