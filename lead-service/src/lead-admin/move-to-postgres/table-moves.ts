import type { Tables } from '../../database/tables.ts';

/** How the rows of a table get from SQLite to PostgreSQL. Columns are in snake case. */
interface TableMove {
  /**
   * `start`: in the first transaction. `leads`: lead by lead, each with the rows that belong to it. `after`: after the leads,
   * in the order of this list. `never`: not at all.
   */
  readonly step: 'start' | 'leads' | 'after' | 'never';
  /** Primary key. Rows are copied in its descending order. */
  readonly key: readonly string[];
  /** How a row is handled whose key is in PostgreSQL already. By default, it is an error. */
  readonly onConflict?: string;
  /** Columns that nothing changes afterwards, which the verification compares. None: rows may be removed meanwhile. */
  readonly fixed?: readonly string[];
  /** Columns that only an erasure changes, which the verification compares in rows without `erased_at`. */
  readonly erasable?: readonly string[];
}

/** Every table of the schema. */
export const tableMoves: Readonly<Record<keyof Tables, TableMove>> = {
  // The older time, so that a pause in which the clock may have gone wrong stops retention here as well.
  jobRuns: {
    step: 'start',
    key: ['job'],
    onConflict: 'do update set ran_at = least(job_runs.ran_at, excluded.ran_at)',
  },
  suppressedAddresses: { step: 'start', key: ['address_hash'], onConflict: 'do nothing' },
  confirmationDays: { step: 'start', key: ['address_hash', 'day'], onConflict: 'do nothing' },
  endedSessions: { step: 'start', key: ['id'], onConflict: 'do nothing' },
  // Last of the first transaction, because senders who repeat a lead wait for it. As for a new claim, an expired key is free.
  idempotencyRecords: {
    step: 'start',
    key: ['key'],
    onConflict: `do update set fingerprint = excluded.fingerprint, lead_id = excluded.lead_id,
      answer_status = excluded.answer_status, created_at = excluded.created_at, expires_at = excluded.expires_at
      where idempotency_records.expires_at <= excluded.created_at`,
  },
  leads: {
    step: 'leads',
    key: ['id'],
    fixed: ['id', 'type', 'received_at', 'release_id'],
    erasable: ['erased_at', 'name', 'email', 'company', 'message', 'attribution'],
  },
  outbox: { step: 'leads', key: ['id'], fixed: ['id', 'lead_id', 'kind', 'target'] },
  deliveryAttempts: {
    step: 'leads',
    key: ['id'],
    fixed: ['id', 'outbox_id', 'number', 'started_at', 'latency_ms', 'outcome', 'status'],
  },
  // After the leads, because until then only erasures since the move began apply to them.
  erasures: {
    step: 'after',
    key: ['address_hash'],
    onConflict: 'do update set erased_at = greatest(erasures.erased_at, excluded.erased_at)',
    fixed: ['address_hash'],
  },
  // Those of one lead were copied with it.
  auditEntries: {
    step: 'after',
    key: ['id'],
    onConflict: 'do nothing',
    fixed: ['id', 'at', 'actor', 'action', 'lead_id'],
  },
  auditedLeads: { step: 'after', key: ['lead_id', 'entry_id'], fixed: ['lead_id', 'entry_id'] },
  pageReports: {
    step: 'after',
    key: ['began_at', 'release_id', 'part', 'version', 'visitors', 'measure'],
    onConflict: 'do update set count = page_reports.count + excluded.count',
  },
  // A service on SQLite counts in memory.
  rateLimits: { step: 'never', key: ['key'] },
  moves: { step: 'never', key: ['id'] },
};

export type TableName = keyof Tables;

/** The tables of a step, in order. */
export function tablesOf(step: TableMove['step']): readonly TableName[] {
  return (Object.keys(tableMoves) as TableName[]).filter((table) => tableMoves[table].step === step);
}
