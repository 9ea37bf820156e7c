import type { LeadRow } from '../store/tables.ts';
import { recordAudit } from './audit.ts';
import type { Desk } from './desk.ts';
import { matching, type LeadFilter } from './lead-filter.ts';
import { viewLead, type LeadView } from './lead-view.ts';

const pageSize = 200;

export interface LeadExport {
  /** How many leads matched when the export began. */
  readonly count: number;
  /** The oldest first, read from the database as fast as they are taken, a page at a time. */
  readonly leads: AsyncIterable<LeadView>;
}

/**
 * All leads of a filter. It is in the audit log before the first one is read, and so is each page with its leads: also if
 * it is broken off, it can be seen who was in it.
 */
export async function exportLeads(desk: Desk, filter: LeadFilter, format: string): Promise<LeadExport> {
  const { count, last } = await desk.database.db.transaction().execute(async (transaction) => {
    const found = await transaction
      .selectFrom('leads')
      .select(({ fn }) => [fn.countAll().as('count'), fn.max('id').as('last')])
      .where(matching(filter))
      .executeTakeFirstOrThrow();
    const number = Number(found.count);
    await recordAudit(transaction, desk.actor, [
      { action: 'lead.export', details: { ...filter, format, count: number } },
    ]);
    return { count: number, last: found.last };
  });
  return { count, leads: readOn(desk, filter, last) };
}

/** Ends at the lead that was the last when the export began, so that it ends. */
async function* readOn(
  { database, actor }: Desk,
  filter: LeadFilter,
  last: string | null,
): AsyncGenerator<LeadView> {
  let after = '';
  for (;;) {
    const page: readonly LeadRow[] = await database.db.transaction().execute(async (transaction) => {
      const rows = await transaction
        .selectFrom('leads')
        .selectAll()
        .where(matching(filter))
        .where('id', '>', after)
        .where('id', '<=', last ?? '')
        .orderBy('id')
        .limit(pageSize)
        .execute();
      const leadIds = rows.map(({ id }) => id);
      if (rows.length > 0) await recordAudit(transaction, actor, [{ action: 'lead.export-page', leadIds }]);
      return rows;
    });
    for (const row of page) yield viewLead(row);
    if (page.length < pageSize) return;
    after = page.at(-1)?.id ?? '';
  }
}
