import { addressHash } from '../address-hash.ts';
import { recordAudit } from '../sales/audit.ts';
import type { Desk } from '../sales/desk.ts';
import { openSpoolBeside } from '../sales/spool-beside.ts';
import type { Database } from '../store/database.ts';
import { eraseWithin } from './erase-leads.ts';
import { removeMailFiles } from './mail-files.ts';
import { pageOf } from './person.ts';

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
  // First of all, and seen by everybody: what arrives from a spool from now on is dropped, and what arrived before is
  // found below.
  await noteErasure(desk, email);
  const spooled = await eraseInSpool(dataDirectory, email);
  const leads = await eraseInDatabase(desk, email);
  await database.access.scrub(database.db);
  return { leads, spooled };
}

async function noteErasure({ database, actor }: Desk, email: string): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    const hash = addressHash(email);
    const erasedAt = new Date().toISOString();
    // First, while nobody waits for this transaction: it may itself wait, for a machine that moves leads of theirs.
    await transaction
      .insertInto('erasures')
      .values({ addressHash: hash, erasedAt })
      .onConflict((conflict) => conflict.column('addressHash').doUpdateSet({ erasedAt }))
      .execute();
    await transaction.deleteFrom('confirmationDays').where('addressHash', '=', hash).execute();
    await recordAudit(transaction, actor, [{ action: 'person.erase' }]);
  });
}

/** A page at a time: between two, others may write. */
async function eraseInDatabase({ database, dataDirectory, actor }: Desk, email: string): Promise<number> {
  let leads = 0;
  let last: string | undefined;
  for (;;) {
    const some = await database.db.transaction().execute(async (transaction) => {
      const ids = (await pageOf(transaction, email, last)).map(({ id }) => id);
      const erased = await eraseWithin(transaction, ids, new Date().toISOString(), database.access);
      const events = ids.map((leadId) => ({ action: 'lead.erase' as const, leadId }));
      await recordAudit(transaction, actor, events);
      return { ...erased, last: ids.at(-1) };
    });
    await removeMailFiles(dataDirectory, some.outboxIds);
    if (some.last === undefined) return leads;
    leads += some.leads;
    last = some.last;
  }
}

/** How many leads were removed. */
async function eraseInSpool(dataDirectory: string, email: string): Promise<number> {
  const spool = openSpoolBeside(dataDirectory);
  if (spool === undefined) return 0;
  try {
    let removed = 0;
    for (;;) {
      const some = await removeSpooled(spool, email);
      removed += some;
      if (some === 0) break;
    }
    await spool.access.scrub(spool.db);
    return removed;
  } finally {
    await spool.close();
  }
}

function removeSpooled({ db }: Database, email: string): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const ids = (await pageOf(transaction, email)).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await transaction.deleteFrom('outbox').where('leadId', 'in', ids).execute();
    await transaction.deleteFrom('idempotencyRecords').where('leadId', 'in', ids).execute();
    await transaction.deleteFrom('leads').where('id', 'in', ids).execute();
    return ids.length;
  });
}
