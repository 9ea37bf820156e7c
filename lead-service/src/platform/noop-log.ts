import type { Log } from './log.ts';

/** For callers whose only error reports are exceptions. */
export const noopLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
