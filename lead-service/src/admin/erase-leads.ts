import * as z from 'zod';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { normalizeEmail } from '@countersign/contracts/lead';
import { sql } from 'kysely';
import { connect } from '../database/database.ts';
import { addressHash } from '../database/erasures.ts';
import { removeLeads } from '../database/remove-leads.ts';
import { spoolFile } from '../lead-store/spool.ts';
import { parseInput } from '../platform/refusal.ts';
import { noopLog } from '../platform/log.ts';
import type { AdminContext } from './admin-context.ts';

const emailMessage = 'Name a complete e-mail address.';
const personEmail = z
  .string(emailMessage)
  .overwrite(normalizeEmail)
  .regex(/^[^\s@\0]+@[^\s@\0]+$/, emailMessage);

/** Limited, because a statement accepts a limited number of parameters, and blocks other writers of SQLite. */
const batchSize = 200;

/**
 * Deletes all leads of an e-mail address, with their deliveries and attempts: in the database, in the spool of this machine and
 * in its mail files. An earlier lead in the spool of another machine is dropped when it is moved. Throws a refusal if the
 * address is none. Returns the number of leads.
 */
export async function eraseLeadsOf(context: AdminContext, typed: string): Promise<number> {
  const email = parseInput(personEmail, typed);
  // In lower case on both sides, because `normalizeEmail` keeps the case. `addressHash` lowers it itself.
  const isFromAddress = sql<boolean>`lower(email) = ${email.toLowerCase()}`;
  // Committed first, so that every later move from a spool drops these leads. The steps below find those moved before.
  const erasedAt = new Date().toISOString();
  await context.database.db
    .insertInto('erasures')
    .values({ addressHash: addressHash(email), erasedAt })
    .onConflict((conflict) => conflict.column('addressHash').doUpdateSet({ erasedAt }))
    .execute();
  const spooled = await eraseInSpool(context.dataDirectory, isFromAddress);
  return spooled + (await deleteLeads(context, isFromAddress));
}

/**
 * Deletes the leads of a condition, with all rows and files that belong to them. Works in batches, so that other writers run
 * in between. Finished batches stay committed after an abort.
 *
 * @param signal aborts between two batches by throwing its reason
 * @returns the number of leads
 */
export async function deleteLeads(
  { database: { db, access }, dataDirectory }: AdminContext,
  condition: ReturnType<typeof sql<boolean>>,
  signal?: AbortSignal,
): Promise<number> {
  const matching = db.selectFrom('leads').select('id').where(condition).orderBy('id').limit(batchSize);
  let found = false;
  let deleted = 0;
  for (;;) {
    // SQLite may block this thread for a whole batch.
    await setImmediate();
    signal?.throwIfAborted();
    const ids = (await matching.execute()).map(({ id }) => id);
    if (ids.length === 0) break;
    // Before the transaction, because nothing names the files after its commit.
    const outbox = await db.selectFrom('outbox').select('id').where('leadId', 'in', ids).execute();
    await removeMails(dataDirectory, outbox);
    deleted += await db.transaction().execute(async (transaction) => {
      // Waits for changes of these leads. Ordered, so that two deletions cannot deadlock.
      const locked = transaction.selectFrom('leads').select('id').where('id', 'in', ids).orderBy('id');
      if (access.hasSeveralWriters) await locked.forUpdate().execute();
      return removeLeads(transaction, ids);
    });
    // Again, because an attempt may have written one meanwhile. A later attempt finds its delivery gone, and removes its own.
    await removeMails(dataDirectory, outbox);
    found = true;
  }
  // Not reached after an abort: then closing the database removes the deleted data from its files.
  if (found) await access.scrub(db);
  return deleted;
}

/** A service without a mail server keeps mails as files. */
async function removeMails(dataDirectory: string, outbox: readonly { readonly id: string }[]): Promise<void> {
  for (const { id } of outbox) await rm(join(dataDirectory, 'mails', `${id}.eml`), { force: true });
}

/** Opens the spool through a second connection next to the service's, with timeouts of minutes. Returns the number of removed leads. */
async function eraseInSpool(
  dataDirectory: string,
  condition: ReturnType<typeof sql<boolean>>,
): Promise<number> {
  if (!existsSync(join(dataDirectory, spoolFile))) return 0;
  const location = { kind: 'sqlite', directory: dataDirectory, file: spoolFile } as const;
  await using database = connect(location, noopLog, 'commands');
  const removed = await deleteLeads({ database, dataDirectory }, condition);
  // Also if there was none, because an earlier erasure may have been killed before it.
  await database.access.scrub(database.db);
  return removed;
}
