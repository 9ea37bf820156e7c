import { sql } from 'kysely';
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

export async function readStats({ database: { db }, dataDirectory }: Desk): Promise<LeadStats> {
  const genuine = db.selectFrom('leads').where('quarantinedAt', 'is', null);
  const day = sql<string>`substr(received_at, 1, 10)`;
  const byType = await genuine
    .select(['type as name', ({ fn }) => fn.countAll().as('count')])
    .groupBy('type')
    .orderBy('type')
    .execute();
  const byStatus = await genuine
    .select(['status as name', ({ fn }) => fn.countAll().as('count')])
    .groupBy('status')
    .orderBy('status')
    .execute();
  const byDay = await genuine
    .select([day.as('name'), ({ fn }) => fn.countAll().as('count')])
    .groupBy(day)
    .orderBy(day, 'desc')
    .limit(mostDays)
    .execute();
  const special = await db
    .selectFrom('leads')
    .select(({ fn }) => [fn.count('quarantinedAt').as('quarantined'), fn.count('erasedAt').as('erased')])
    .executeTakeFirstOrThrow();
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
    byType: byType.map(counted),
    byStatus: byStatus.map(counted),
    byDay: byDay.map(counted),
    quarantined: Number(special.quarantined),
    erased: Number(special.erased),
    deliveries: deliveries.map(counted),
    oldestUndelivered: oldest?.createdAt ?? null,
    spooled: await spoolDepth(dataDirectory),
  };
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
