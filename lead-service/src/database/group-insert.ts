import type { IdempotencyRecordRow, OutboxRow, StoredLeadRow } from './tables.ts';

export interface LeadRows {
  readonly idempotencyRecords: readonly IdempotencyRecordRow[];
  readonly leads: readonly StoredLeadRow[];
  readonly outbox: readonly OutboxRow[];
}

/** Each statement has one parameter, all rows as JSON. The text is therefore the same for every group size. */
interface GroupInsert {
  /** Claims the keys that are free or expired. Returns the `lead_id` of each claim. */
  readonly claim: string;
  /** Insert the rows of claimed leads only. */
  readonly leads: string;
  readonly outbox: string;
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
const leadColumns: Columns<StoredLeadRow> = {
  id: 'text',
  type: 'text',
  name: 'text',
  email: 'text',
  company: 'text',
  message: 'text',
  searchText: 'text',
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
 * The SQL that stores a group of leads, the same for both databases but for the arguments.
 *
 * @param elements the elements of a JSON array as `given.value`; the parameter counts from 1
 * @param claims relation with the `lead_id` of each claimed key
 */
export function groupInsert(elements: (parameter: number) => string, claims: string): GroupInsert {
  function insert(into: string, columns: Columns<object>, parameter: number, leadId?: string): string {
    const values = Object.entries(columns).map(
      ([property, type]) => `cast(given.value ->> '${property}' as ${type})`,
    );
    const condition =
      leadId === undefined
        ? 'true'
        : `exists (select 1 from ${claims} where lead_id = given.value ->> '${leadId}')`;
    return `insert into ${into} (${Object.keys(columns).map(snakeCase).join(', ')})
      select ${values.join(', ')} from ${elements(parameter)} where ${condition}`;
  }
  const replaced = Object.keys(recordColumns).filter((property) => property !== 'key');
  const replacements = replaced.map(snakeCase).map((column) => `${column} = excluded.${column}`);
  return {
    claim: `${insert('idempotency_records', recordColumns, 1)}
      on conflict (key) do update set ${replacements.join(', ')}
      where idempotency_records.expires_at <= excluded.created_at
      returning lead_id`,
    leads: insert('leads', leadColumns, 2, 'id'),
    outbox: insert('outbox', outboxColumns, 3, 'leadId'),
  };
}

/** The column of a property: `leadId` → `lead_id`. Kysely's plugin does not convert raw SQL. */
function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
