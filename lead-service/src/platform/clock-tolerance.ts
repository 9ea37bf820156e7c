/**
 * Maximum expected clock skew between instances, in milliseconds. A stored time further in the future was written by a
 * wrong clock, so the service ignores it.
 */
export const clockTolerance = 5 * 60_000;
