import type { Kysely } from 'kysely';
import { addressHash } from '../address-hash.ts';
import { recordAudit } from '../sales/audit.ts';
import type { Desk } from '../sales/desk.ts';
import { openSpoolBeside } from '../sales/spool-beside.ts';
import type { Tables } from '../store/tables.ts';
import { eraseWithin, type ErasedLeads } from './erase-leads.ts';
import { removeMailFiles } from './mail-files.ts';
import { leadsOf } from './person.ts';

export interface ErasedPerson {
  /** Leads that held something, and hold nothing now. */
  readonly leads: number;
  /** Leads that still waited on this machine for the shared database, and are gone. */
  readonly spooled: number;
}

/**
 * Erases everything that is held of a person, by e-mail address: in the database, in the spool of this machine and in
 * its files. A lead from before that waits in the spool of another machine is dropped when it arrives. That the address
 * wants no confirmations stays, as a hash: this is what the person has asked for.
 */
export async function erasePerson(desk: Desk, email: string): Promise<ErasedPerson> {
  const { database, dataDirectory } = desk;
  const first = await eraseInDatabase(desk, email, true);
  await removeMailFiles(dataDirectory, first.outboxIds);
  const spooled = await eraseInSpool(dataDirectory, email);
  // What was on its way from the spool when the database was erased has arrived by now.
  const second = spooled === undefined ? { leads: 0 } : await eraseInDatabase(desk, email, false);
  await database.access.scrub(database.db);
  return { leads: first.leads + second.leads, spooled: spooled ?? 0 };
}

function eraseInDatabase({ database, actor }: Desk, email: string, isRequest: boolean): Promise<ErasedLeads> {
  return database.db.transaction().execute(async (transaction) => {
    const now = new Date().toISOString();
    const hash = addressHash(email);
    const leads = await leadsOf(transaction, email).select('id').execute();
    const ids = leads.map(({ id }) => id);
    const erased = await eraseWithin(transaction, ids, now, database.access);
    await transaction.deleteFrom('confirmationDays').where('addressHash', '=', hash).execute();
    await transaction
      .insertInto('erasures')
      .values({ addressHash: hash, erasedAt: now })
      .onConflict((conflict) => conflict.column('addressHash').doUpdateSet({ erasedAt: now }))
      .execute();
    await recordAudit(transaction, actor, [
      ...(isRequest ? [{ action: 'person.erase' as const, details: { leads: erased.leads } }] : []),
      ...ids.map((leadId) => ({ action: 'lead.erase' as const, leadId })),
    ]);
    return erased;
  });
}

/** How many leads were removed, or undefined where there is no spool. */
async function eraseInSpool(dataDirectory: string, email: string): Promise<number | undefined> {
  const spool = openSpoolBeside(dataDirectory);
  if (spool === undefined) return undefined;
  try {
    const removed = await spool.db.transaction().execute((transaction) => removeSpooled(transaction, email));
    await spool.access.scrub(spool.db);
    return removed;
  } finally {
    await spool.close();
  }
}

async function removeSpooled(transaction: Kysely<Tables>, email: string): Promise<number> {
  const leads = await leadsOf(transaction, email).select('id').execute();
  if (leads.length === 0) return 0;
  const ids = leads.map(({ id }) => id);
  await transaction.deleteFrom('outbox').where('leadId', 'in', ids).execute();
  await transaction.deleteFrom('idempotencyRecords').where('leadId', 'in', ids).execute();
  await transaction.deleteFrom('leads').where('id', 'in', ids).execute();
  return ids.length;
}
