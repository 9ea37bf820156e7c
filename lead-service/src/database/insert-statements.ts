import { type IdempotencyRecordRow, leadSchema, type OutboxRow, type StoredLeadRow } from './tables.ts';

export interface LeadRows {
  readonly idempotencyRecords: readonly IdempotencyRecordRow[];
  readonly leads: readonly StoredLeadRow[];
  readonly outbox: readonly OutboxRow[];
}

/** The SQL type of every column of a row, so that the compiler finds a missing one. */
export type Columns<Row> = {
  readonly [Name in keyof Row & string]: NonNullable<Row[Name]> extends number ? 'integer' : 'text';
};

export const recordColumns: Columns<IdempotencyRecordRow> = {
  key: 'text',
  fingerprint: 'text',
  leadId: 'text',
  answerStatus: 'integer',
  createdAt: 'text',
  expiresAt: 'text',
};
/** All fields of the schema, so that one more needs no change here. The score is the only number. */
export const leadColumns = Object.fromEntries(
  [...Object.keys(leadSchema.shape), 'searchText'].map((name) => [
    name,
    name === 'spamScore' ? 'integer' : 'text',
  ]),
) as Columns<StoredLeadRow>;
export const outboxColumns: Columns<OutboxRow> = {
  id: 'text',
  leadId: 'text',
  kind: 'text',
  target: 'text',
  state: 'text',
  attempts: 'integer',
  nextAttemptAt: 'text',
  leasedUntil: 'text',
  createdAt: 'text',
  finishedAt: 'text',
};

/**
 * The SQL that stores leads, a statement for each table. It is the same for both databases but for the source of the rows.
 *
 * @param rowSource returns the `values` or `select` clause with these columns. SQLite inserts row by row, and uses only `columns`.
 *   PostgreSQL reads all rows at once from the `parameter`, so its clause must leave out the rows of leads whose key was not claimed:
 *   `leadId` is their property with the id of the lead. It is undefined for the claims
 */
export function insertStatements(
  rowSource: (columns: Columns<object>, parameter: string, leadId?: 'id' | 'leadId') => string,
) {
  const into = (table: string, columns: Columns<object>) =>
    `insert into ${table} (${Object.keys(columns).map(snakeCase).join(', ')})`;
  const replaced = Object.keys(recordColumns).filter((property) => property !== 'key');
  const replacements = replaced.map(snakeCase).map((column) => `${column} = excluded.${column}`);
  return {
    /** Claims the keys that are free or expired. Returns the `lead_id` of each claim. */
    claim: `${into('idempotency_records', recordColumns)} ${rowSource(recordColumns, '$1')}
      on conflict (key) do update set ${replacements.join(', ')}
      where idempotency_records.expires_at <= excluded.created_at
      returning lead_id`,
    lead: `${into('leads', leadColumns)} ${rowSource(leadColumns, '$2', 'id')}`,
    delivery: `${into('outbox', outboxColumns)} ${rowSource(outboxColumns, '$3', 'leadId')}`,
  };
}

/** The column of a property: `leadId` → `lead_id`. Kysely's plugin does not convert raw SQL. */
function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
