import type { Client } from './client.ts';
import type { OpenCounter } from './counters.ts';

/** What is remembered for some hours of addresses and networks that have given reason for doubt. */
export interface Reputation {
  note(client: Client, incident: 'quarantined' | 'limited'): Promise<void>;
  /** Whether its next form comes with work to do. */
  isDoubtful(client: Client): Promise<boolean>;
}

const windowInSeconds = 6 * 60 * 60;
const weight = { quarantined: 2, limited: 1 } as const;
/** A network has to answer for more than one machine. */
const doubtfulFrom = { address: 4, network: 12 } as const;

export function createReputation(open: OpenCounter): Reputation {
  const counters = (['address', 'network'] as const).map((name) => ({
    name,
    counter: open(`doubt-${name}`, windowInSeconds),
  }));
  return {
    async note(client, incident) {
      await Promise.all(counters.map(({ name, counter }) => counter.add(client[name], weight[incident])));
    },
    async isDoubtful(client) {
      const doubts = await Promise.all(
        counters.map(async ({ name, counter }) => (await counter.read(client[name])) >= doubtfulFrom[name]),
      );
      return doubts.includes(true);
    },
  };
}
