import type { Log } from '../log.ts';
import { acceptLeads, type Acceptance, type AcceptedLead } from './accept-leads.ts';
import { openDatabase, type Database } from './database.ts';
import { idempotencyOfItself } from './idempotency-record.ts';

/** Keeps leads on this machine while the shared database is away. The same format, in a file of its own. */
export interface Spool {
  readonly access: Database['access'];
  add(group: readonly AcceptedLead[]): Promise<Acceptance[]>;
  /** The oldest leads except those that are named, with everything that was committed with them. */
  oldest(most: number, except: readonly string[]): Promise<AcceptedLead[]>;
  remove(leadIds: readonly string[]): Promise<void>;
  /** How many leads wait in it. */
  depth(): Promise<number>;
  close(): Promise<void>;
}

/** Opens `spool.sqlite` in a data directory. */
export async function openSpool(directory: string, log: Log): Promise<Spool> {
  const { db, access, close } = await openDatabase({ kind: 'sqlite', directory, file: 'spool.sqlite' }, log);
  return {
    access,
    add: (group) => acceptLeads({ db, access }, group),
    async oldest(most, except) {
      const leads = await db
        .selectFrom('leads')
        .selectAll()
        .where('id', 'not in', except)
        .orderBy('id')
        .limit(most)
        .execute();
      if (leads.length === 0) return [];
      const ids = leads.map(({ id }) => id);
      const records = await db
        .selectFrom('idempotencyRecords')
        .selectAll()
        .where('leadId', 'in', ids)
        .execute();
      const outbox = await db.selectFrom('outbox').selectAll().where('leadId', 'in', ids).execute();
      const recordOf = new Map(records.map(({ leadId, ...record }) => [leadId, record]));
      const outboxOf = Map.groupBy(outbox, ({ leadId }) => leadId);
      return leads.map((lead) => ({
        lead,
        // Its key may have expired while it waited, and have been taken by another lead.
        idempotency: recordOf.get(lead.id) ?? idempotencyOfItself(lead),
        outbox: outboxOf.get(lead.id) ?? [],
      }));
    },
    remove: (leadIds) =>
      db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('outbox').where('leadId', 'in', leadIds).execute();
        await transaction.deleteFrom('idempotencyRecords').where('leadId', 'in', leadIds).execute();
        await transaction.deleteFrom('leads').where('id', 'in', leadIds).execute();
      }),
    async depth() {
      const { count } = await db
        .selectFrom('leads')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    close,
  };
}
