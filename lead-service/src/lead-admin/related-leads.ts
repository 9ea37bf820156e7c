import { sql, type Kysely } from 'kysely';
import * as z from 'zod/mini';
import type { Tables } from '../database/tables.ts';
import type { AdminContext } from './admin-context.ts';
import { mentions } from './list-leads.ts';
import { inMailbox, leadsOf } from './person.ts';
import { readAudited } from './audit.ts';

/** A lead of another address that may be about the same person. */
export const relatedLead = z.object({ id: z.string(), why: z.enum(['same mailbox', 'names the person']) });
export type RelatedLead = Readonly<z.output<typeof relatedLead>>;

const maxNames = 10;
const maxRelated = 500;

/** Full names in the leads of a person, at most {@link maxNames}. A first name alone is in too many leads. */
export async function namesOf(db: Kysely<Tables>, email: string): Promise<readonly string[]> {
  const rows = await leadsOf(db, email).clearOrderBy().select('name').distinct().limit(maxNames).execute();
  return rows.map(({ name }) => name).filter((name) => /\S\s+\S/.test(name));
}

/**
 * Finds leads of other addresses in the database that may be about a person: of the same mailbox with another tag, or
 * with the address or one of the names of the person in their text. The oldest first, at most {@link maxRelated}.
 */
export function findRelatedLeads(
  context: AdminContext,
  email: string,
  names: readonly string[],
): Promise<RelatedLead[]> {
  return readAudited(
    context,
    async (snapshot) => {
      const leads = await snapshot
        .selectFrom('leads')
        .select(['id', inMailbox(email).as('isSameMailbox')])
        .where('erasedAt', 'is', null)
        .where(sql<boolean>`lower(email) != ${email.toLowerCase()}`)
        .where(({ or }) => or([inMailbox(email), ...[email, ...names].map(mentions)]))
        .orderBy('id')
        .limit(maxRelated)
        .execute();
      return leads.map(({ id, isSameMailbox }) => ({
        id,
        why: isSameMailbox ? ('same mailbox' as const) : ('names the person' as const),
      }));
    },
    (related) =>
      related.length === 0
        ? []
        : [
            {
              action: 'lead.search',
              leadIds: related.map(({ id }) => id),
              details: { count: related.length },
            },
          ],
  );
}
