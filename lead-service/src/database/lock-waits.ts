import type { ConnectionUse } from './database-access.ts';

/** Lock timeout in milliseconds. Requests wait less than commands, because a visitor waits for them. */
export const lockWaits: Record<ConnectionUse, number> = {
  requests: 1_000,
  probe: 1_000,
  commands: 10_000,
  migration: 10_000,
  counters: 500,
};
