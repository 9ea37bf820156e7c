import type { Kysely } from 'kysely';
import { clockTolerance } from '../clock-tolerance.ts';
import type { Tables } from '../store/tables.ts';

/** So many points more for a key, which is forgotten at a time (in milliseconds) unless it is there already. */
export interface Addition {
  readonly key: string;
  readonly points: number;
  readonly expire: number;
}

export interface CountRow {
  readonly points: number;
  readonly expire: number | null;
}

/** Adds to many counts in one statement. Each addition gets the count as it stands after it. */
export async function addToCounts(db: Kysely<Tables>, group: readonly Addition[]): Promise<CountRow[]> {
  const now = Date.now();
  const rows = await db
    .insertInto('rateLimits')
    .values(sumUp(group))
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((row) => {
        const isOver = row.or([
          row('rateLimits.expire', '<=', now),
          // Its window was begun by a clock that was ahead.
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
  // From the last to the first: the last one of a key has the total.
  return group
    .toReversed()
    .map(({ key, points }) => {
      const total = totals.get(key);
      if (total === undefined) throw new Error('A count was not returned.');
      totals.set(key, { ...total, points: total.points - points });
      // The driver gives whole numbers of this size as text.
      return { points: total.points, expire: Number(total.expire) };
    })
    .toReversed();
}

/** One row a key, in the order of the keys: two instances never wait for each other. */
function sumUp(group: readonly Addition[]): Addition[] {
  const sums = new Map<string, Addition>();
  for (const addition of group) {
    const sum = sums.get(addition.key);
    sums.set(addition.key, sum ? { ...sum, points: sum.points + addition.points } : addition);
  }
  return [...sums.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}
