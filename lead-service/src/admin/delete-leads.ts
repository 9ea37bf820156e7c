import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { sql } from 'kysely';
import type { DatabaseTarget } from '../database/database.ts';
import { removeLeads } from '../database/remove-leads.ts';
import { reasonOf } from '../platform/log.ts';
import { StartupError } from '../platform/explained-error.ts';
import { type AdminContext, placesOf } from './admin-context.ts';

/** Leads of a search. Many, because PostgreSQL searches and sorts all that are left each time, until it has analyzed the table. */
const searchSize = 10_000;
/** Leads of a transaction. Few, because a statement accepts a limited number of parameters, and blocks other writers of SQLite. */
const batchSize = 200;

type Condition = ReturnType<typeof sql<boolean>>;

/**
 * Deletes the leads of a condition from the spool and the database, with all rows and files that belong to them. Works in batches, so
 * that other writers run in between. Finished batches stay committed after an abort.
 *
 * @param signal aborts between two batches by throwing its reason
 * @returns the number of leads
 */
export async function deleteLeads(
  context: AdminContext,
  condition: Condition,
  signal?: AbortSignal,
): Promise<number> {
  const places = placesOf(context);
  let deleted = 0;
  for (const place of places) deleted += await deleteIn(place, context.dataDirectory, condition, signal);
  // Also without a lead, because an earlier deletion may have been killed before it. Not reached after an abort: then closing the
  // database removes the deleted data from its files.
  for (const { access, db } of places) await access.scrub(db);
  return deleted;
}

async function deleteIn(
  { db, access }: DatabaseTarget,
  dataDirectory: string,
  condition: Condition,
  signal: AbortSignal | undefined,
): Promise<number> {
  const matching = db.selectFrom('leads').select('id').where(condition).orderBy('id').limit(searchSize);
  let deleted = 0;
  // Each search begins after the last one, because PostgreSQL passes over the entries of deleted rows in its index.
  let last = '';
  for (;;) {
    const found = (await matching.where('id', '>', last).execute()).map(({ id }) => id);
    // A lead may have come before the last one meanwhile.
    if (found.length === 0 && last === '') return deleted;
    last = found.at(-1) ?? '';
    for (let begin = 0; begin < found.length; begin += batchSize) {
      // SQLite may block this thread for a whole batch.
      await setImmediate();
      signal?.throwIfAborted();
      deleted += await deleteBatch({ db, access }, dataDirectory, found.slice(begin, begin + batchSize));
    }
  }
}

/** Returns the number of leads that were still there. */
async function deleteBatch(
  { db, access }: DatabaseTarget,
  dataDirectory: string,
  ids: readonly string[],
): Promise<number> {
  // Before the transaction, because nothing names the files after its commit.
  const outbox = await db.selectFrom('outbox').select('id').where('leadId', 'in', ids).execute();
  await removeMails(dataDirectory, outbox);
  const deleted = await db.transaction().execute(async (transaction) => {
    // Waits for changes of these leads. Ordered, so that two deletions cannot deadlock.
    const locked = transaction.selectFrom('leads').select('id').where('id', 'in', ids).orderBy('id');
    if (access.hasSeveralWriters) await locked.forUpdate().execute();
    return removeLeads(transaction, ids);
  });
  // Again, because an attempt may have written one meanwhile. A later attempt finds its delivery gone, and removes its own.
  await removeMails(dataDirectory, outbox);
  return deleted;
}

/** A service without a mail server keeps mails as files, named by their deliveries. An import gives new IDs, so earlier files stay. */
async function removeMails(dataDirectory: string, outbox: readonly { readonly id: string }[]): Promise<void> {
  for (const { id } of outbox) {
    const file = join(dataDirectory, 'mails', `${id}.eml`);
    try {
      await rm(file, { force: true });
    } catch (error) {
      const message = `Cannot remove ${file} (${reasonOf(error)}). Let this user remove it, and repeat the deletion.`;
      throw new StartupError(message, { cause: error });
    }
  }
}
