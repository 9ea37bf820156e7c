import { sql, type ExpressionBuilder, type Transaction } from 'kysely';
import type { Tables } from '../store/tables.ts';
import type { Desk } from './desk.ts';
import { matching, type LeadFilter } from './lead-filter.ts';
import { viewLead, type LeadView } from './lead-view.ts';
import { readAudited } from './read-audited.ts';
import { invalidRequest } from './sales-errors.ts';

export interface LeadQuery {
  readonly filter: LeadFilter;
  /** Text to be found in what a visitor typed, in any capitalisation; or an id. */
  readonly text?: string | undefined;
  /** At most this many, 1 to {@link mostListed}. */
  readonly limit: number;
  /** Goes on after this lead: `next` of the page before. */
  readonly after?: string | undefined;
}

/** The newest first. */
export interface LeadPage {
  readonly leads: readonly LeadView[];
  /** Names the last lead of the page, if there are more behind it. */
  readonly next: string | undefined;
}

export const mostListed = 500;

/** Leads of a filter, a page at a time. Reading on is as fast on the last page as on the first one. */
export async function listLeads(desk: Desk, { filter, text, limit, after }: LeadQuery): Promise<LeadPage> {
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= mostListed)) {
    throw invalidRequest(`limit must be a whole number from 1 to ${mostListed}.`);
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
    return { leads, next: rows.length > limit ? leads.at(-1)?.id : undefined };
  }
  return readAudited(desk, read, ({ leads }) => [
    {
      action: text === undefined ? 'lead.list' : 'lead.search',
      leadIds: leads.map(({ id }) => id),
      details: { ...filter, more: after !== undefined, count: leads.length },
    },
  ]);
}

function containing(text: string) {
  const wanted = text.trim();
  if (wanted === '') throw invalidRequest('Say what to search for.');
  const pattern = `%${wanted.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  return (eb: ExpressionBuilder<Tables, 'leads'>) =>
    eb.or([
      eb('id', '=', wanted.toLowerCase()),
      ...(['name', 'email', 'company', 'message'] as const).map(
        (column) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`,
      ),
    ]);
}
