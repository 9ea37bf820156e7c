import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { AdminContext } from './admin-context.ts';
import { mentions } from './list-leads.ts';
import { inMailbox, leadsOf } from './person.ts';
import { readAudited } from './read-audited.ts';

/** A lead of another address that may be about the same person. */
export const relatedLead = z.object({ id: z.string(), why: z.enum(['same mailbox', 'names the person']) });
export type RelatedLead = Readonly<z.output<typeof relatedLead>>;

const maxNames = 10;
const maxRelated = 500;

/**
 * Finds leads of other addresses in the database that may be about a person: of the same mailbox with another tag, or
 * with the address or a name of the person in their text. The oldest first, at most {@link maxRelated}.
 */
export function findRelatedLeads(context: AdminContext, email: string): Promise<RelatedLead[]> {
  return readAudited(
    context,
    async (snapshot) => {
      const names = await leadsOf(snapshot, email)
        .clearOrderBy()
        .select('name')
        .distinct()
        .limit(maxNames)
        .execute();
      // A first name alone is in too many leads.
      const full = names.map(({ name }) => name).filter((name) => /\S\s+\S/.test(name));
      const leads = await snapshot
        .selectFrom('leads')
        .select(['id', inMailbox(email).as('isSameMailbox')])
        .where('erasedAt', 'is', null)
        .where(sql<boolean>`lower(email) != ${email.toLowerCase()}`)
        .where(({ or }) => or([inMailbox(email), ...[email, ...full].flatMap(mentions)]))
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
