import { StartupError } from '../../platform/startup-error.ts';
import type { Move } from './copy-tables.ts';
import { keyOf, pagesOf, readStored, rowsOf, type Row } from './rows.ts';
import { tableMoves, type TableName } from './table-moves.ts';

export type VerifiedCounts = Readonly<Partial<Record<TableName, number>>>;

/**
 * Compares what SQLite holds with PostgreSQL: every row of the tables that keep their rows, in the columns that nothing changes.
 * Returns the numbers of rows. Throws {@link StartupError} at the first difference.
 *
 * @param merged ids of leads that were not copied
 */
export async function verifyMove(
  { source, target }: Pick<Move, 'source' | 'target'>,
  merged: readonly string[],
): Promise<VerifiedCounts> {
  const deliveries = await rowsOf(source, 'outbox', 'lead_id', merged);
  // Those of the leads that were not copied are not there either. An audit entry about them is.
  const left = new Set<unknown>([...merged, ...deliveries.map(({ id }) => id)]);
  const isCopied = (table: TableName, row: Row) =>
    tableMoves[table].step !== 'leads' || ![row['id'], row['outbox_id']].some((id) => left.has(id));

  const counts: Partial<Record<TableName, number>> = {};
  for (const table of Object.keys(tableMoves) as TableName[]) {
    const { fixed, erasable = [] } = tableMoves[table];
    if (fixed === undefined) continue;
    const all = [...fixed, ...erasable];
    let count = 0;
    for await (const read of pagesOf(source, table)) {
      const rows = read.filter((row) => isCopied(table, row));
      const stored = await readStored(target.db, table, rows, all);
      const storedByKey = new Map(stored.map((row) => [keyOf(table, row).join(' '), row]));
      for (const row of rows) {
        const key = keyOf(table, row).join(' ');
        const found = storedByKey.get(key);
        const isErased = erasable.length > 0 && found?.['erased_at'] !== null;
        const compared = isErased ? fixed : all;
        if (found !== undefined && compared.every((column) => found[column] === row[column])) continue;
        throw new StartupError(
          `The row ${key} of the table ${table} is not in ${target.where} as it is in SQLite. The file of SQLite stays. Report this, and restore the backup of PostgreSQL or go on with an empty database.`,
        );
      }
      count += rows.length;
    }
    counts[table] = count;
  }
  return counts;
}
