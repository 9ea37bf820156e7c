import { sql, type Kysely } from 'kysely';
import { inGroups } from '../in-groups.ts';
import type { Tables } from '../store/tables.ts';
import type { Desk } from './desk.ts';
import { openSpoolBeside } from './spool-beside.ts';

export interface Count {
  readonly name: string;
  readonly count: number;
}

/** Numbers of leads and deliveries. Names nobody. */
export interface LeadStats {
  /** Leads outside the quarantine, those that were erased included. */
  readonly byType: readonly Count[];
  readonly byStatus: readonly Count[];
  /** The last 30 days on which something came, in UTC, the newest first. */
  readonly byDay: readonly Count[];
  readonly quarantined: number;
  readonly erased: number;
  readonly deliveries: readonly Count[];
  /** When the oldest delivery that is still to be made was planned. Null when all are made. */
  readonly oldestUndelivered: string | null;
  /** Leads on this machine that wait for the shared database. */
  readonly spooled: number;
}

const mostDays = 30;
const mostAtOnce = 2_000;

export async function readStats({ database: { db }, dataDirectory }: Desk): Promise<LeadStats> {
  const leads = await countLeads(db);
  const deliveries = await db
    .selectFrom('outbox')
    .select(['state as name', ({ fn }) => fn.countAll().as('count')])
    .groupBy('state')
    .orderBy('state')
    .execute();
  const oldest = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.min('createdAt').as('createdAt'))
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return {
    byType: leads.byType.list(),
    byStatus: leads.byStatus.list(),
    byDay: leads.byDay.list().reverse().slice(0, mostDays),
    quarantined: leads.quarantined,
    erased: leads.erased,
    deliveries: deliveries.map(counted),
    oldestUndelivered: oldest?.createdAt ?? null,
    spooled: await spoolDepth(dataDirectory),
  };
}

/** Reads all leads once, some at a time: SQLite would let nobody else have a turn meanwhile. */
async function countLeads(db: Kysely<Tables>) {
  const counts = {
    byType: new Tally(),
    byStatus: new Tally(),
    byDay: new Tally(),
    quarantined: 0,
    erased: 0,
  };
  let last = '';
  await inGroups(undefined, async () => {
    const some = db.selectFrom('leads').selectAll().where('id', '>', last).orderBy('id').limit(mostAtOnce);
    const groups = await db
      .selectFrom(some.as('some'))
      .select(({ eb, fn }) => [
        'type',
        'status',
        sql<string>`substr(received_at, 1, 10)`.as('day'),
        eb('quarantinedAt', 'is not', null).as('isQuarantined'),
        eb('erasedAt', 'is not', null).as('isErased'),
        fn.countAll().as('count'),
        fn.max('id').as('last'),
      ])
      .groupBy(['type', 'status', 'day', 'isQuarantined', 'isErased'])
      .execute();
    let read = 0;
    for (const group of groups) {
      const count = Number(group.count);
      read += count;
      if (group.last > last) last = group.last;
      if (group.isErased) counts.erased += count;
      if (group.isQuarantined) counts.quarantined += count;
      else {
        counts.byType.add(group.type, count);
        counts.byStatus.add(group.status, count);
        counts.byDay.add(group.day, count);
      }
    }
    return read === mostAtOnce;
  });
  return counts;
}

class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, count: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** In the order of the names. */
  list(): Count[] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => ({ name, count }));
  }
}

/** PostgreSQL counts in numbers that may not fit into one of JavaScript, and so writes them as texts. */
function counted({ name, count }: { name: string; count: string | number | bigint }): Count {
  return { name, count: Number(count) };
}

async function spoolDepth(dataDirectory: string): Promise<number> {
  const spool = openSpoolBeside(dataDirectory);
  if (spool === undefined) return 0;
  try {
    const { count } = await spool.db
      .selectFrom('leads')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  } finally {
    await spool.close();
  }
}
