import * as z from 'zod/mini';
import { addressHash } from '../platform/address-hash.ts';
import { inBatches } from '../platform/in-batches.ts';
import { removeSpooled } from '../lead-store/spool.ts';
import { recordAudit } from './audit.ts';
import type { AdminContext } from './admin-context.ts';
import { eraseWithin } from './erase-leads.ts';
import { removeMailFiles } from './mail-files.ts';
import { pageOf } from './person.ts';
import { findRelatedLeads, namesOf, relatedLead } from './related-leads.ts';
import { quantity } from './lead-view.ts';
import { withLocalSpool } from './local-spool.ts';

/** Numbers of erased leads in the database, and in the spool of this machine. */
export const erasedPerson = z.object({
  leads: quantity,
  spooled: quantity,
  related: z
    .nullable(z.array(relatedLead))
    .check(
      z.describe(
        'Leads of other addresses that may be about the person. They were not erased. null if the search for them failed.',
      ),
    ),
});
type ErasedPerson = z.output<typeof erasedPerson>;

/**
 * Erases all data of a person, by e-mail address: in the database, in the spool of this machine and in its mail files. An
 * earlier lead in the spool of another machine is dropped when it is moved.
 */
export async function erasePerson(context: AdminContext, email: string): Promise<ErasedPerson> {
  const { database, dataDirectory } = context;
  // Committed first: later moves from any spool drop the leads of the person, and the steps below find the earlier ones.
  await noteErasure(context, email);
  const names = await namesOf(database.db, email);
  const spooled = await eraseInSpool(dataDirectory, email);
  const leads = await eraseInDatabase(context, email);
  await database.access.scrub(database.db);
  // Last, because a search that fails must not prevent an erasure.
  const related = await findRelatedLeads(context, email, names).catch(() => null);
  return { leads, spooled, related };
}

async function noteErasure({ database, actor }: AdminContext, email: string): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
    const hash = addressHash(email);
    const erasedAt = new Date().toISOString();
    // The first statement, because it may wait for a move and must hold no other locks meanwhile.
    await transaction
      .insertInto('erasures')
      .values({ addressHash: hash, erasedAt })
      .onConflict((conflict) => conflict.column('addressHash').doUpdateSet({ erasedAt }))
      .execute();
    await recordAudit(transaction, actor, [{ action: 'person.erase' }]);
  });
}

/** Erases a page per transaction, so that other writers run in between. */
async function eraseInDatabase(
  { database, dataDirectory, actor }: AdminContext,
  email: string,
): Promise<number> {
  let leads = 0;
  let last: string | undefined;
  for (;;) {
    const page = await database.db.transaction().execute(async (transaction) => {
      const ids = (await pageOf(transaction, email, last)).map(({ id }) => id);
      const erased = await eraseWithin(transaction, ids, new Date().toISOString(), database.access);
      const events = ids.map((leadId) => ({ action: 'lead.erase' as const, leadId }));
      await recordAudit(transaction, actor, events);
      return { ...erased, last: ids.at(-1) };
    });
    await removeMailFiles(dataDirectory, page.outboxIds);
    if (page.last === undefined) return leads;
    leads += page.leads;
    last = page.last;
  }
}

function eraseInSpool(dataDirectory: string, email: string): Promise<number> {
  return withLocalSpool(dataDirectory, 0, async ({ db, access }) => {
    let removed = 0;
    await inBatches(undefined, async () => {
      const count = await db.transaction().execute(async (transaction) => {
        const ids = (await pageOf(transaction, email)).map(({ id }) => id);
        if (ids.length > 0) await removeSpooled(transaction, ids);
        return ids.length;
      });
      removed += count;
      return count > 0;
    });
    await access.scrub(db);
    return removed;
  });
}
