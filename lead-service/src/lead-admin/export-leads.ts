import type { LeadRow } from '../store/tables.ts';
import type { Desk } from './desk.ts';
import { matching, type LeadFilter } from './lead-filter.ts';
import { viewLead, type LeadView } from './lead-view.ts';
import { readAudited } from './read-audited.ts';

const pageSize = 200;

export interface LeadExport {
  /** How many leads matched when the export began. */
  readonly count: number;
  /** The oldest first, read from the database as fast as they are taken, a page at a time. */
  readonly leads: AsyncIterable<LeadView>;
}

/**
 * All leads of a filter. The export is in the audit log before the first one is read, and each page before it is handed
 * out: also if it is broken off, it can be seen who was in it.
 */
export async function exportLeads(desk: Desk, filter: LeadFilter, format: string): Promise<LeadExport> {
  const found = await readAudited(
    desk,
    (snapshot) =>
      snapshot
        .selectFrom('leads')
        .select(({ fn }) => [fn.countAll().as('count'), fn.max('id').as('last')])
        .where(matching(filter))
        .executeTakeFirstOrThrow(),
    ({ count }) => [{ action: 'lead.export', details: { ...filter, format, count: Number(count) } }],
  );
  return { count: Number(found.count), leads: readOn(desk, filter, found.last) };
}

/** Ends at the lead that was the last when the export began, so that it ends. */
async function* readOn(desk: Desk, filter: LeadFilter, last: string | null): AsyncGenerator<LeadView> {
  let after = '';
  for (;;) {
    const page: readonly LeadRow[] = await readAudited(
      desk,
      (snapshot) =>
        snapshot
          .selectFrom('leads')
          .selectAll()
          .where(matching(filter))
          .where('id', '>', after)
          .where('id', '<=', last ?? '')
          .orderBy('id')
          .limit(pageSize)
          .execute(),
      (rows) =>
        rows.length === 0 ? [] : [{ action: 'lead.export-page', leadIds: rows.map(({ id }) => id) }],
    );
    for (const row of page) yield viewLead(row);
    if (page.length < pageSize) return;
    after = page.at(-1)?.id ?? '';
  }
}
