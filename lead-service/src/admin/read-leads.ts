import { normalizeEmail } from '@countersign/contracts/lead';
import { type ExpressionBuilder, sql } from 'kysely';
import { foldText } from '../database/insert-leads.ts';
import type { LeadView, Tables } from '../database/tables.ts';
import { invalidRequest, unknownLead } from '../platform/refusal.ts';
import type { AdminContext } from './admin-context.ts';
import { type LeadFilter, matching } from './lead-filter.ts';
import { viewLead } from '../database/lead-view.ts';

interface LeadQuery {
  readonly filter: LeadFilter;
  /** Text to search for in name, e-mail, company and message, case-insensitive; or an id. */
  readonly text?: string | undefined;
  /** Page size, 1 to {@link maxListed}. */
  readonly limit: number;
  /** `next` of the previous page. */
  readonly after?: string | undefined;
}

export type LeadPage = Awaited<ReturnType<typeof listLeads>>;

const maxListed = 500;
const exportPageSize = 200;

/**
 * Lists the leads of a filter in pages, the newest first. `next` is `after` of the next page. Uses keyset pagination, so that every page
 * is equally fast.
 */
export async function listLeads(
  { database: { db } }: AdminContext,
  { filter, text, limit, after }: LeadQuery,
) {
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= maxListed)) {
    throw invalidRequest(`limit must be a whole number from 1 to ${maxListed}.`);
  }
  let query = db.selectFrom('leads').selectAll().where(matching(filter));
  if (text !== undefined) query = query.where(containing(text));
  if (after !== undefined) query = query.where('id', '<', after);
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const leads = rows.slice(0, limit).map(viewLead);
  return { leads, next: rows.length > limit ? leads.at(-1)?.id : undefined };
}

/** A lead with the numbers of its deliveries that are to be made, also dead letters, and of those that quarantine holds. */
type ExportedLead = LeadView & Readonly<Record<'pendingDeliveries' | 'heldDeliveries', number>>;

/**
 * Reads all leads of a filter in pages, the oldest first, as the consumer proceeds. Leads that arrive meanwhile are not among them,
 * unless they leave a spool; leads that are deleted meanwhile may be.
 */
export async function* readAllLeads(
  { database: { db } }: AdminContext,
  filter: LeadFilter,
): AsyncGenerator<ExportedLead> {
  const { last } = await db
    .selectFrom('leads')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  let after = '';
  for (;;) {
    const page = await db
      .selectFrom('leads')
      .selectAll()
      .where(matching(filter))
      .where('id', '>', after)
      .where('id', '<=', last ?? '')
      .orderBy('id')
      .limit(exportPageSize)
      .execute();
    const ids = page.map(({ id }) => id);
    const end = ids.at(-1);
    if (end === undefined) return;
    // One query for the page, because a subquery would run for each lead. It has both counts, because quarantine may begin before it.
    const counts = await db
      .selectFrom('outbox')
      .select(({ fn }) => [
        'leadId',
        fn.countAll<number>().filterWhere('state', 'in', ['pending', 'dead']).as('pending'),
        fn.countAll<number>().filterWhere('state', '=', 'held').as('held'),
      ])
      .where('leadId', 'in', ids)
      .groupBy('leadId')
      .execute();
    const countsOf = new Map(counts.map(({ leadId, ...count }) => [leadId, count]));
    for (const row of page) {
      const { pending = 0, held = 0 } = countsOf.get(row.id) ?? {};
      // PostgreSQL returns counts as strings.
      yield { ...viewLead(row), pendingDeliveries: Number(pending), heldDeliveries: Number(held) };
    }
    after = end;
  }
}

export type LeadDetails = Awaited<ReturnType<typeof readLead>>;

/** Reads one lead with its deliveries, and their attempts, the first one first. Throws a refusal. */
export async function readLead({ database: { db } }: AdminContext, id: string) {
  const row = await db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw unknownLead();
  const outbox = await db.selectFrom('outbox').selectAll().where('leadId', '=', id).orderBy('id').execute();
  const attempts = await db
    .selectFrom('deliveryAttempts')
    .innerJoin('outbox', 'outbox.id', 'deliveryAttempts.outboxId')
    .selectAll('deliveryAttempts')
    .where('outbox.leadId', '=', id)
    .orderBy('deliveryAttempts.number')
    .execute();
  const attemptsOf = Map.groupBy(attempts, ({ outboxId }) => outboxId);
  return {
    lead: viewLead(row),
    deliveries: outbox.map((delivery) => ({ ...delivery, pastAttempts: attemptsOf.get(delivery.id) ?? [] })),
  };
}

/** Condition for leads that contain a text, or have it as their id. Throws a refusal if the text is empty. */
function containing(text: string) {
  const wanted = text.trim();
  if (wanted === '') throw invalidRequest('Enter a search text.');
  return (eb: ExpressionBuilder<Tables, 'leads'>) =>
    eb.or([
      eb('id', '=', wanted.toLowerCase()),
      contains('searchText', foldText(wanted)),
      contains('email', normalizeEmail(wanted).toLowerCase()),
    ]);
}

function contains(column: 'searchText' | 'email', part: string) {
  const pattern = `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`;
}
