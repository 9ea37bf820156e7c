import { normalizeEmail } from '@countersign/contracts/email-address';
import { sql, type ExpressionBuilder, type Transaction } from 'kysely';
import * as z from 'zod/mini';
import { foldText } from '../database/search-text.ts';
import type { Tables } from '../database/tables.ts';
import { invalidRequest } from '../http/errors.ts';
import type { AdminContext } from './admin-context.ts';
import { matching, type LeadFilter } from './lead-filter.ts';
import { leadView, viewLead } from './lead-view.ts';
import { inMailbox, likePattern, personEmail } from './person.ts';
import { readAudited } from './audit.ts';

interface LeadQuery {
  readonly filter: LeadFilter;
  /** Text to search for in name, e-mail, company and message, case-insensitive; or an id. */
  readonly text?: string | undefined;
  /** Page size, 1 to {@link maxListed}. */
  readonly limit: number;
  /** `next` of the previous page. */
  readonly after?: string | undefined;
}

/** The newest first. */
export const leadPage = z
  .object({
    leads: z.array(leadView),
    next: z.nullable(z.string().check(z.describe('`after` of the next page.'))),
  })
  .register(z.globalRegistry, { id: 'LeadPage' });
export type LeadPage = Readonly<z.output<typeof leadPage>>;

export const maxListed = 500;

/** Lists the leads of a filter in pages. Uses keyset pagination, so that every page is equally fast. */
export async function listLeads(
  context: AdminContext,
  { filter, text, limit, after }: LeadQuery,
): Promise<LeadPage> {
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= maxListed)) {
    throw invalidRequest(`limit must be a whole number from 1 to ${maxListed}.`);
  }
  async function read(snapshot: Transaction<Tables>): Promise<LeadPage> {
    let query = snapshot.selectFrom('leads').selectAll().where(matching(filter));
    if (text !== undefined) query = query.where(containing(text));
    if (after !== undefined) query = query.where('id', '<', after);
    const rows = await query
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute();
    const leads = rows.slice(0, limit).map(viewLead);
    return { leads, next: rows.length > limit ? (leads.at(-1)?.id ?? null) : null };
  }
  return readAudited(context, read, ({ leads }) => [
    {
      action: text === undefined ? 'lead.list' : 'lead.search',
      leadIds: leads.map(({ id }) => id),
      details: { ...filter, more: after !== undefined, count: leads.length },
    },
  ]);
}

/** Condition for leads that contain a text, or have it as their id. Throws a 422 error if the text is empty. */
function containing(text: string) {
  const wanted = text.trim();
  if (wanted === '') throw invalidRequest('Enter a search text.');
  return (eb: ExpressionBuilder<Tables, 'leads'>) =>
    eb.or([
      eb('id', '=', wanted.toLowerCase()),
      mentions(wanted),
      emailContains(normalizeEmail(wanted)),
      // Also finds other tags of the same mailbox.
      ...(personEmail.safeParse(wanted).success ? [inMailbox(normalizeEmail(wanted))] : []),
    ]);
}

/** Condition for leads that contain a text in name, company or message, in any case. */
export function mentions(text: string) {
  return sql<boolean>`${sql.ref('searchText')} like ${`%${likePattern(foldText(text))}%`} escape '\\'`;
}

function emailContains(part: string) {
  return sql<boolean>`lower(email) like ${`%${likePattern(part)}%`} escape '\\'`;
}
