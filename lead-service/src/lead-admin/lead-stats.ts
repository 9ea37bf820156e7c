import { sql, type Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { Tables } from '../database/tables.ts';
import { findUndelivered } from './undelivered.ts';
import { inBatches } from '../platform/in-batches.ts';
import { countSpooled } from '../lead-store/spool.ts';
import type { AdminContext } from './admin-context.ts';
import { quantity, utcTime } from './lead-view.ts';
import { withLocalSpool } from './local-spool.ts';

const counts = z.array(z.object({ name: z.string(), count: quantity }));
export type Count = z.output<typeof counts>[number];

/** Counts of leads and deliveries, without personal data. */
export const leadStats = z
  .object({
    byType: counts.check(z.describe('Leads outside the quarantine, including erased ones.')),
    byStatus: counts,
    byDay: counts.check(z.describe('The last 30 days (UTC) with leads, the newest first.')),
    quarantined: quantity,
    erased: quantity,
    deliveries: counts,
    oldestUndelivered: z.nullable(utcTime.check(z.describe('Planning time of the oldest pending delivery.'))),
    spooled: quantity.check(z.describe('Leads in the spool of this machine.')),
  })
  .register(z.globalRegistry, { id: 'LeadStats' });
export type LeadStats = Readonly<z.output<typeof leadStats>>;

const maxDays = 30;
const batchSize = 2_000;

export async function readStats({ database: { db }, dataDirectory }: AdminContext): Promise<LeadStats> {
  const leads = await countLeads(db);
  const deliveries = await db
    .selectFrom('outbox')
    .select(['state as name', ({ fn }) => fn.countAll().as('count')])
    .groupBy('state')
    .orderBy('state')
    .execute();
  const { oldest } = await findUndelivered(db);
  return {
    byType: leads.byType.list(),
    byStatus: leads.byStatus.list(),
    byDay: leads.byDay.list().reverse().slice(0, maxDays),
    quarantined: leads.quarantined,
    erased: leads.erased,
    deliveries: deliveries.map(counted),
    oldestUndelivered: oldest ?? null,
    spooled: await withLocalSpool(dataDirectory, 0, (spool) => countSpooled(spool.db)),
  };
}

/** Reads all leads in batches, because one long query would block SQLite. */
async function countLeads(db: Kysely<Tables>) {
  const leads = {
    byType: new Tally(),
    byStatus: new Tally(),
    byDay: new Tally(),
    quarantined: 0,
    erased: 0,
  };
  let last = '';
  await inBatches(undefined, async () => {
    const batch = db.selectFrom('leads').selectAll().where('id', '>', last).orderBy('id').limit(batchSize);
    const groups = await db
      .selectFrom(batch.as('batch'))
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
      if (group.isErased) leads.erased += count;
      if (group.isQuarantined) leads.quarantined += count;
      else {
        leads.byType.add(group.type, count);
        leads.byStatus.add(group.status, count);
        leads.byDay.add(group.day, count);
      }
    }
    return read === batchSize;
  });
  return leads;
}

/** Counts by name. */
class Tally {
  readonly #counts = new Map<string, number>();

  add(name: string, count: number): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  list(): Count[] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => ({ name, count }));
  }
}

/** Converts the count, because PostgreSQL returns `bigint` as a string. */
function counted({ name, count }: { name: string; count: string | number | bigint }): Count {
  return { name, count: Number(count) };
}
