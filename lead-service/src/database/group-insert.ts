import type { CompiledQuery } from 'kysely';
import type { IdempotencyRecordRow, LeadRow, OutboxRow } from './tables.ts';

export interface LeadRows {
  readonly idempotencyRecords: readonly IdempotencyRecordRow[];
  readonly leads: readonly LeadRow[];
  readonly outbox: readonly OutboxRow[];
}

/**
 * Claims the free and expired keys, and inserts the leads of those claims with their outbox rows, atomically. Returns
 * the `leadId` of each claimed key.
 */
export type GroupInsert = (rows: LeadRows) => CompiledQuery<{ readonly leadId: string }>;

/**
 * The SQL statements of a {@link GroupInsert}. Each has one parameter: all rows as JSON. The SQL is therefore the same for
 * every group size, and is built once.
 */
interface GroupInsertParts {
  /** Returns the `lead_id` of each claimed key. */
  readonly claim: string;
  readonly leads: string;
  readonly outbox: string;
}

/** How a dialect reads rows from a parameter that is a JSON array of objects. */
interface JsonSyntax {
  /** The table expression. `parameter` counts from 1. */
  table(parameter: number, columns: Readonly<Record<string, 'text' | 'integer'>>): string;
  /** The expression for a property of a row in that table. */
  value(property: string): string;
}

/** The SQL type of every column of a row, so that the compiler finds a missing one. */
type Columns<Row> = {
  readonly [Name in keyof Row & string]: NonNullable<Row[Name]> extends number ? 'integer' : 'text';
};

const recordColumns: Columns<IdempotencyRecordRow> = {
  key: 'text',
  fingerprint: 'text',
  leadId: 'text',
  answerStatus: 'integer',
  createdAt: 'text',
  expiresAt: 'text',
};
const leadColumns: Columns<LeadRow> = {
  id: 'text',
  type: 'text',
  name: 'text',
  email: 'text',
  company: 'text',
  message: 'text',
  receivedAt: 'text',
  status: 'text',
  attribution: 'text',
  releaseId: 'text',
  spamScore: 'integer',
  spamReasons: 'text',
  quarantinedAt: 'text',
  erasedAt: 'text',
};
const outboxColumns: Columns<OutboxRow> = {
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

/** @param claims relation with the `lead_id` of each newly claimed key */
export function groupInsertParts({ table, value }: JsonSyntax, claims: string): GroupInsertParts {
  function insert(into: string, columns: Columns<object>, parameter: number, condition: string): string {
    const properties = Object.keys(columns);
    return `insert into ${into} (${properties.map(snakeCase).join(', ')})
      select ${properties.map(value).join(', ')} from ${table(parameter, columns)} where ${condition}`;
  }
  const isClaimed = (property: string) =>
    `exists (select 1 from ${claims} as claimed where claimed.lead_id = ${value(property)})`;
  const replaced = Object.keys(recordColumns).filter((property) => property !== 'key');
  const replacements = replaced.map(snakeCase).map((column) => `${column} = excluded.${column}`);
  return {
    claim: `${insert('idempotency_records', recordColumns, 1, 'true')}
      on conflict (key) do update set ${replacements.join(', ')}
      where idempotency_records.expires_at <= excluded.created_at
      returning lead_id`,
    leads: insert('leads', leadColumns, 2, isClaimed('id')),
    outbox: insert('outbox', outboxColumns, 3, isClaimed('leadId')),
  };
}

/** The column of a property: `leadId` → `lead_id`. Kysely's plugin does not convert raw SQL. */
function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
