import type { LeadRow } from '../database/tables.ts';
import type { AdminContext } from './admin-context.ts';
import { matching, type LeadFilter } from './lead-filter.ts';
import { viewLead, type LeadView } from './lead-view.ts';
import { readAudited } from './audit.ts';

const pageSize = 200;

interface LeadExport {
  /** Number of matching leads at the start of the export. */
  readonly count: number;
  /** The oldest first, read from the database in pages as the consumer proceeds. */
  readonly leads: AsyncIterable<LeadView>;
}

/**
 * Exports all leads of a filter. The audit log has an entry for the export, and one for each page before the consumer
 * gets it. So an aborted export is also audited.
 */
export async function exportLeads(
  context: AdminContext,
  filter: LeadFilter,
  format: string,
): Promise<LeadExport> {
  const found = await readAudited(
    context,
    (snapshot) =>
      snapshot
        .selectFrom('leads')
        .select(({ fn }) => [fn.countAll().as('count'), fn.max('id').as('last')])
        .where(matching(filter))
        .executeTakeFirstOrThrow(),
    ({ count }) => [{ action: 'lead.export', details: { ...filter, format, count: Number(count) } }],
  );
  return { count: Number(found.count), leads: readPages(context, filter, found.last) };
}

/** Stops at the newest lead at the start of the export, because new leads could extend the export forever. */
async function* readPages(
  context: AdminContext,
  filter: LeadFilter,
  last: string | null,
): AsyncGenerator<LeadView> {
  if (last === null) return;
  let after = '';
  for (;;) {
    const page: readonly LeadRow[] = await readAudited(
      context,
      (snapshot) =>
        snapshot
          .selectFrom('leads')
          .selectAll()
          .where(matching(filter))
          .where('id', '>', after)
          .where('id', '<=', last)
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
