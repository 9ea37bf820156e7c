import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { clockTolerance } from '../platform/clock-tolerance.ts';

/** Adds `points` to a key's counter. A new counter expires at `expire` (ms since epoch). */
export interface Addition {
  readonly key: string;
  readonly points: number;
  readonly expire: number;
}

/** The count of a key, and the end of its window. */
export type WindowCount = Pick<Addition, 'points' | 'expire'>;

/** Adds to many counters in one statement. Returns the count after each addition, in order. */
export async function addToCounts(db: Kysely<Tables>, group: readonly Addition[]): Promise<WindowCount[]> {
  const now = Date.now();
  const rows = await db
    .insertInto('rateLimits')
    .values(sumUp(group))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((row) => {
        const isOver = row.or([
          row('rateLimits.expire', '<=', now),
          // A wrong clock started this window, so it is replaced.
          row('rateLimits.expire', '>', row(row.ref('excluded.expire'), '+', clockTolerance)),
        ]);
        return {
          points: row
            .case()
            .when(isOver)
            .then(row.ref('excluded.points'))
            .else(row('rateLimits.points', '+', row.ref('excluded.points')))
            .end(),
          expire: row
            .case()
            .when(isOver)
            .then(row.ref('excluded.expire'))
            .else(row.ref('rateLimits.expire'))
            .end(),
        };
      }),
    )
    .returningAll()
    .execute();

  const totals = new Map(rows.map((row) => [row.key, row]));
  // Works backwards, because the returned total of a key is the count after its last addition.
  return group
    .toReversed()
    .map(({ key, points }) => {
      const total = totals.get(key);
      if (total === undefined) throw new Error('Unexpected error: the database returned no count for a key.');
      totals.set(key, { ...total, points: total.points - points });
      // The driver returns bigint columns as text.
      return { points: total.points, expire: Number(total.expire) };
    })
    .toReversed();
}

/**
 * Sums additions per key, because a statement may update a row only once. Sorted by key, so that two instances cannot
 * deadlock.
 */
function sumUp(group: readonly Addition[]): Addition[] {
  const sums = new Map<string, Addition>();
  for (const addition of group) {
    const sum = sums.get(addition.key);
    sums.set(addition.key, sum ? { ...sum, points: sum.points + addition.points } : addition);
  }
  return [...sums.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}
