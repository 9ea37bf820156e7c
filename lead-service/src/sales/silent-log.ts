import type { Log } from '../log.ts';

/** For what reports its failures by throwing alone. */
export const silentLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
