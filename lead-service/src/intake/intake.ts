import type { LeadRow } from '../database/tables.ts';
import type { Log } from '../platform/log.ts';
import { Refusal } from '../platform/refusal.ts';
import { acceptedLeads } from '../platform/event-metrics.ts';
import type { IncomingLead, LeadStore, StoreOutcome } from '../lead-store/lead-store.ts';

/** The basis of the response to the sender. */
export type LeadAnswer = ReturnType<typeof resultOf>;

export type Intake = ReturnType<typeof createIntake>;

/**
 * Milliseconds for which a failure counts. It expires, because an unready service gets no leads that could disprove it. A lock counts for
 * no time, because it is over before a load balancer reacts.
 */
const failurePeriod = 60_000;

/**
 * @param onStored called for each new lead in the database, but not for spooled leads, whose deliveries start after the move
 */
export function createIntake(
  store: Pick<LeadStore, 'add'>,
  log: Log,
  onStored: () => void = () => undefined,
) {
  let refusedUntil = -Infinity;
  return {
    /** Resolves once the lead is durably stored. Otherwise throws, also a {@link Refusal}. Equal leads wait for each other's commit. */
    async accept(incoming: IncomingLead): Promise<LeadAnswer> {
      const { lead } = incoming;
      const outcome = await store.add(incoming);
      if (outcome.kind === 'stored') onStored();
      if (outcome.kind === 'unavailable') refusedUntil = performance.now() + failurePeriod;
      // Only these were written. Other answers come from an idempotency record, also while nothing can be written.
      if (outcome.kind === 'stored' || outcome.kind === 'spooled') refusedUntil = -Infinity;
      const result = resultOf(lead, outcome);
      const isQuarantined = outcome.kind === 'stored' && lead.quarantinedAt !== null;
      acceptedLeads.inc({ type: lead.type, result: isQuarantined ? 'quarantined' : outcome.kind });
      log.info(result.replayed ? 'lead repeated' : 'lead stored', {
        lead: result.leadId,
        type: lead.type,
        status: result.status,
      });
      return result;
    },
    /** Whether a lead could not be stored within the last minute, and none was since. */
    refusesLeads: () => performance.now() < refusedUntil,
  };
}

/**
 * The id of the stored lead, from this or an earlier attempt, and the status for the sender. Whether this repeats the response to an
 * earlier attempt. Throws if the lead is not stored.
 */
function resultOf({ id, type }: LeadRow, outcome: StoreOutcome) {
  switch (outcome.kind) {
    case 'stored':
      return { leadId: id, type, status: 201, replayed: false };
    case 'spooled':
      return { leadId: id, type, status: 202, replayed: false };
    case 'repeated':
      return { leadId: outcome.leadId, type, status: outcome.answerStatus, replayed: true };
    case 'key-reused':
      throw new Refusal(
        'key-reused',
        'Something else was sent under this Idempotency-Key before. Send it again under a new one.',
      );
    case 'unavailable':
    case 'locked':
      throw new Refusal(
        'store-unavailable',
        'We could not save your request just now. Please try again in a minute.',
      );
  }
}
