import { CamelCasePlugin, Kysely, sql, type Transaction } from 'kysely';
import type { Lead } from '../lead.ts';
import type { Log } from '../log.ts';
import { StartFailure } from '../start-failure.ts';
import type { DatabaseAccess, DatabaseLocation } from './database-access.ts';
import { accessDatabase } from './dialects.ts';
import { migrate } from './migrate.ts';

/** Rows as queries see them. The columns themselves are in snake case: `receivedAt` is `received_at`. */
interface Tables {
  leads: Lead;
}

export interface LeadStore {
  /** Where the leads are, for people. Holds no password. */
  readonly where: string;
  /**
   * `stored`: committed, and would survive a loss of power. `unavailable`: the database could not take the lead now
   * and may later. Anything else is thrown.
   */
  add(lead: Lead): Promise<'stored' | 'unavailable'>;
  close(): Promise<void>;
}

/** Opens the database and brings its schema up to date. Throws {@link StartFailure} when that is impossible. */
export async function openLeadStore(location: DatabaseLocation, log: Log): Promise<LeadStore> {
  const access = accessDatabase(location, log);
  try {
    await migrate(access);
    return await createLeadStore(access, log);
  } catch (error) {
    throw error instanceof StartFailure ? error : new StartFailure(access.explain(error), { cause: error });
  }
}

async function createLeadStore(access: DatabaseAccess, log: Log): Promise<LeadStore> {
  const db = new Kysely<Tables>({ dialect: access.open('requests'), plugins: [new CamelCasePlugin()] });
  // Kysely closes only a database that has been used.
  await sql`select 1`.execute(db);
  return {
    where: access.where,
    async add(lead) {
      try {
        await db.transaction().execute((transaction) => insert(transaction, lead));
        return 'stored';
      } catch (error) {
        const reason = access.unavailability(error);
        if (reason === undefined) throw error;
        log.error(`could not store ${lead.type} lead ${lead.id}: ${reason}`);
        return 'unavailable';
      }
    },
    close: () => db.destroy(),
  };
}

async function insert(transaction: Transaction<Tables>, lead: Lead): Promise<void> {
  await transaction.insertInto('leads').values(lead).execute();
}
