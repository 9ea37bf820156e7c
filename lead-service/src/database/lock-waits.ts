import type { ConnectionUse } from './database-access.ts';

/** How long a statement waits for somebody else's lock, in milliseconds: a visitor waits less than a command does. */
export const lockWaits: Record<ConnectionUse, number> = {
  requests: 1_000,
  look: 1_000,
  commands: 10_000,
  migration: 10_000,
  counters: 500,
};
