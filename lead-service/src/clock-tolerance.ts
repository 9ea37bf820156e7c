/**
 * Clocks of instances agree to a few seconds. A stored time that lies further ahead than it can, by more than this many
 * milliseconds, was written while a clock was wrong: nothing waits for it.
 */
export const clockTolerance = 5 * 60_000;
