import type { Client } from './client.ts';
import type { OpenCounter } from './counters.ts';

/** Remembers suspicious addresses and networks for six hours. */
interface Reputation {
  note(client: Client, incident: 'quarantined' | 'limited'): Promise<void>;
  /** Whether the client's next form must include a proof of work. */
  isDoubtful(client: Client): Promise<boolean>;
}

const windowInSeconds = 6 * 60 * 60;
const weight = { quarantined: 2, limited: 1 } as const;
/** The threshold of a network is higher, because it has many clients. */
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
