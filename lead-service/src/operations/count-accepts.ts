import type { Intake } from '../intake.ts';
import type { Metrics } from './metrics.ts';

/** An intake whose accepted leads are counted. */
export function countAccepts(intake: Intake, metrics: Pick<Metrics, 'countAccept'>): Intake {
  return {
    async accept(arrival) {
      const receipt = await intake.accept(arrival);
      if (receipt.replayed) metrics.countAccept(receipt.type, 'repeated');
      else if (receipt.status === 202) metrics.countAccept(receipt.type, 'spooled');
      else metrics.countAccept(receipt.type, arrival.lead.quarantinedAt === null ? 'stored' : 'quarantined');
      return receipt;
    },
  };
}
