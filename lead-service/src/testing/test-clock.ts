/** A clock that a test can put forward. It begins at noon of tomorrow (UTC): later than all that is stored today. */
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
