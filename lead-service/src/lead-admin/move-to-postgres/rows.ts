import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { snakeCase } from '../../database/group-insert.ts';
import type { Tables } from '../../database/tables.ts';
import { tableMoves, type TableName } from './table-moves.ts';

/** A row with its columns in snake case, which are the same in both databases. */
export type Row = Readonly<Record<string, string | number | null>>;

/** A `max` for all rows. */
export const noLimit = -1;
const pageSize = 5_000;

const nameOf = (table: TableName) => sql.table(snakeCase(table));
const columnsOf = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));

/** The rows of a table in SQLite in descending order of their key, after the given key if any. */
export async function readRows(
  source: Kysely<Tables>,
  table: TableName,
  after: readonly unknown[] | undefined,
  max: number,
): Promise<readonly Row[]> {
  const { key } = tableMoves[table];
  const order = sql.join(key.map((column) => sql`${sql.ref(column)} desc`));
  return select(source, table, sql`${isAfter(table, after)} order by ${order} limit ${max}`);
}

/** All rows of a table in SQLite, in pages of {@link readRows}. */
export async function* pagesOf(source: Kysely<Tables>, table: TableName): AsyncGenerator<readonly Row[]> {
  let after: readonly unknown[] | undefined;
  for (;;) {
    const rows = await readRows(source, table, after, pageSize);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = keyOf(table, last);
  }
}

/** The rows of a table in SQLite that belong to others. */
export async function rowsOf(
  source: Kysely<Tables>,
  table: TableName,
  column: string,
  owners: readonly unknown[],
): Promise<readonly Row[]> {
  return owners.length === 0 ? [] : select(source, table, sql`${sql.ref(column)} in (${sql.join(owners)})`);
}

/** Counts the rows of a table in SQLite that {@link readRows} has not returned yet. */
export async function countRows(
  source: Kysely<Tables>,
  table: TableName,
  after: readonly unknown[],
): Promise<number> {
  const count = sql<{ count: number }>`select count(*) as count from ${nameOf(table)}
    where ${isAfter(table, after)}`;
  return (await count.execute(source)).rows[0]?.count ?? 0;
}

export const keyOf = (table: TableName, row: Row) => tableMoves[table].key.map((column) => row[column]);

function isAfter(table: TableName, after: readonly unknown[] | undefined): RawBuilder<unknown> {
  const { key } = tableMoves[table];
  return after === undefined ? sql`true` : sql`(${columnsOf(key)}) < (${sql.join(after)})`;
}

async function select(source: Kysely<Tables>, table: TableName, condition: RawBuilder<unknown>) {
  const query = sql<Row>`select * from ${nameOf(table)} where ${condition}`;
  return (await query.execute(source.withoutPlugins())).rows;
}

/** Inserts rows from {@link readRows} into PostgreSQL, as one parameter. */
export async function insertRows(
  transaction: Transaction<Tables>,
  table: TableName,
  rows: readonly Row[],
): Promise<void> {
  const { key, onConflict } = tableMoves[table];
  const conflict = onConflict === undefined ? '' : `on conflict (${key.join(', ')}) ${onConflict}`;
  // In ascending order, as other writers lock these rows, to prevent deadlocks.
  await sql`insert into ${nameOf(table)} select * from ${given(table, rows.toReversed())} where true ${sql.raw(conflict)}`.execute(
    transaction,
  );
}

/** The columns in PostgreSQL of those of the rows that are there. */
export async function readStored(
  target: Kysely<Tables>,
  table: TableName,
  rows: readonly Row[],
  columns: readonly string[],
): Promise<readonly Row[]> {
  const stored = sql.join(columns.map((column) => sql.ref(`stored.${column}`)));
  const query = sql<Row>`select ${stored} from ${given(table, rows)} as given
    join ${nameOf(table)} as stored using (${columnsOf(tableMoves[table].key)})`;
  return (await query.execute(target.withoutPlugins())).rows;
}

/**
 * Ids of leads in SQLite that PostgreSQL has under another id: a key and a text that were sent again while both records were
 * valid. As for a repeated request, that is the same lead.
 */
export async function findMerged(
  transaction: Transaction<Tables>,
  records: readonly Row[],
): Promise<readonly string[]> {
  const query = sql<{
    leadId: string;
  }>`select given.lead_id from ${given('idempotencyRecords', records)} as given
    join idempotency_records as known using (key, fingerprint)
    where known.lead_id <> given.lead_id
      and known.created_at < given.expires_at and given.created_at < known.expires_at`;
  return (await query.execute(transaction)).rows.map(({ leadId }) => leadId);
}

function given(table: TableName, rows: readonly Row[]): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::${nameOf(table)}, ${JSON.stringify(rows)}::json)`;
}
