import type { ConfirmationQuotas } from './abuse-config.ts';
import type { Client } from './client.ts';
import { countDistinct, type OpenCounter } from './counters.ts';

const windowInSeconds = 60 * 60;

const origins = {
  address: 'the address of the sender',
  network: 'the network of the sender',
  service: 'the service',
} as const;

/**
 * Limits the recipients of confirmations, because anyone can name the address of a stranger in a form. Returns why a
 * confirmation must be withheld, if so.
 *
 * @param recipient keyed hash of the address
 */
type LimitConfirmation = (client: Client, recipient: string) => Promise<string | undefined>;

export function createConfirmationLimits(quotas: ConfirmationQuotas, open: OpenCounter): LimitConfirmation {
  const limits = (['address', 'network', 'service'] as const)
    .map((name) => ({ name, quota: quotas[name], counter: open(`confirmations-${name}`, windowInSeconds) }))
    .filter(({ quota }) => quota > 0);
  return async (client, recipient) => {
    // One after the other, so that a client beyond its own limit does not use up that of the service.
    for (const { name, quota, counter } of limits) {
      const key = name === 'service' ? 'all' : client[name];
      if ((await countDistinct(counter, key, recipient)) > quota) {
        return `Withheld: ${origins[name]} has caused too many confirmations within an hour.`;
      }
    }
    return undefined;
  };
}
