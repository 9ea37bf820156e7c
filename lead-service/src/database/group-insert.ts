import type { CompiledQuery } from 'kysely';
import type { IdempotencyRecordRow, LeadRow, OutboxRow } from './tables.ts';

/** Rows that become durable together. */
export interface LeadRows {
  readonly idempotencyRecords: readonly IdempotencyRecordRow[];
  readonly leads: readonly LeadRow[];
  readonly outbox: readonly OutboxRow[];
}

/**
 * Claims the keys that nobody holds, or holds no longer, and inserts the leads that they were claimed for, with their
 * outbox. All of it happens, or nothing. Its rows: a `leadId` for each key that was claimed.
 */
export type GroupInsert = (rows: LeadRows) => CompiledQuery<{ readonly leadId: string }>;

/**
 * The parts of it in SQL, each with one parameter: the rows as JSON. So the text is the same for groups of every size, and
 * is made once.
 */
export interface GroupInsertParts {
  readonly claim: string;
  readonly leads: string;
  readonly outbox: string;
}

/** How a dialect reads rows out of JSON. */
export interface JsonRows {
  /** A table expression over a JSON array of objects. `parameter` counts from 1. */
  table(parameter: number, columns: Readonly<Record<string, 'text' | 'integer'>>): string;
  /** A property of such an object. */
  value(property: string): string;
}

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

/**
 * @param claims the relation in which the keys that were just claimed can be seen
 */
export function groupInsertParts({ table, value }: JsonRows, claims: string): GroupInsertParts {
  function insert(into: string, columns: Columns<object>, parameter: number, condition: string): string {
    const properties = Object.keys(columns);
    return `insert into ${into} (${properties.map(snakeCase).join(', ')})
      select ${properties.map(value).join(', ')} from ${table(parameter, columns)} where ${condition}`;
  }
  const isClaimed = (property: string) =>
    `exists (select 1 from ${claims} as claimed where claimed.lead_id = ${value(property)})`;
  const renewed = Object.keys(recordColumns).filter((property) => property !== 'key');
  const renewals = renewed.map(snakeCase).map((column) => `${column} = excluded.${column}`);
  return {
    claim: `${insert('idempotency_records', recordColumns, 1, 'true')}
      on conflict (key) do update set ${renewals.join(', ')}
      where idempotency_records.expires_at <= excluded.created_at
      returning lead_id`,
    leads: insert('leads', leadColumns, 2, isClaimed('id')),
    outbox: insert('outbox', outboxColumns, 3, isClaimed('leadId')),
  };
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
