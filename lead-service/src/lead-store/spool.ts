import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type LeadToStore, insertLeads, idempotencyOfItself } from '../database/insert-leads.ts';
import { openDatabase } from '../database/database.ts';
import { removeLeads } from '../database/remove-leads.ts';
import type { Log } from '../platform/log.ts';

/** A local SQLite database for leads that arrive while the shared database is unavailable. It has the same schema. */
export type Spool = Awaited<ReturnType<typeof openSpool>>;

export const spoolIn = (directory: string) => ({ kind: 'sqlite', directory, file: 'spool.sqlite' }) as const;

export async function openSpool(directory: string, log: Log) {
  const database = await openDatabase(spoolIn(directory), log);
  const { db } = database;
  return {
    ...database,
    /** Stores leads, to be answered with 202. */
    add: (group: readonly LeadToStore[]) =>
      insertLeads(
        database,
        group.map((lead) => ({ ...lead, idempotency: { ...lead.idempotency, answerStatus: 202 } })),
      ),
    /** Returns the oldest leads but for some, with all rows that were committed with them. */
    async oldest(max: number, except: readonly string[] = []): Promise<LeadToStore[]> {
      const leads = await db
        .selectFrom('leads')
        .selectAll()
        .where('id', 'not in', sql<string>`(select value from json_each(${JSON.stringify(except)}))`)
        .orderBy('id')
        .limit(max)
        .execute();
      if (leads.length === 0) return [];
      const ids = leads.map(({ id }) => id);
      const records = await db
        .selectFrom('idempotencyRecords')
        .selectAll()
        .where('leadId', 'in', ids)
        .execute();
      const outbox = await db.selectFrom('outbox').selectAll().where('leadId', 'in', ids).execute();
      const recordOf = new Map(records.map((record) => [record.leadId, record]));
      const outboxOf = Map.groupBy(outbox, ({ leadId }) => leadId);
      return leads.map((lead) => ({
        lead,
        // The key may have expired in the spool, and another lead may have claimed it.
        idempotency: recordOf.get(lead.id) ?? idempotencyOfItself(lead),
        outbox: outboxOf.get(lead.id) ?? [],
      }));
    },
    async remove(leadIds: readonly string[]): Promise<void> {
      await db.transaction().execute((transaction) => removeLeads(transaction, leadIds));
    },
    async depth(): Promise<number> {
      const count = db.selectFrom('leads').select(({ fn }) => fn.countAll<number>().as('count'));
      return Number((await count.executeTakeFirstOrThrow()).count);
    },
  };
}

export function hasSpool(directory: string): boolean {
  return existsSync(join(directory, spoolIn(directory).file));
}
