import * as z from 'zod';

/** Days and times that exist, unlike those that `Date.parse` accepts: it takes 31 February for 3 March. */
const existing = [
  z.iso.date(),
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
] as const;

/** Schema of `2026-11-21` (the start of that day in UTC), or of an ISO 8601 time with a time zone. */
export function dayOrTime(name: string) {
  const message = `${name} must be a day such as 2026-11-21, or a time such as 2026-11-21T09:30:00Z.`;
  return z.union(existing, message).transform((text) => new Date(text).toISOString());
}
