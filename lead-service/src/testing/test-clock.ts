/** A clock that a test can advance. Starts at noon (UTC) tomorrow, so that it is later than all stored times. */
export interface TestClock {
  now(): Date;
  advance(milliseconds: number): void;
}

export function createTestClock(): TestClock {
  const day = 24 * 60 * 60_000;
  const begun = Date.now();
  const noon = Math.floor(begun / day) * day + 1.5 * day;
  let advanced = 0;
  return {
    now: () => new Date(noon + (Date.now() - begun) + advanced),
    advance: (milliseconds) => void (advanced += milliseconds),
  };
}
