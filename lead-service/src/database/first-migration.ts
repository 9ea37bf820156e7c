import { sql, type CreateTableBuilder } from 'kysely';
import type { Migration } from 'kysely/migration';

interface Columns {
  /** Texts of the primary key. */
  readonly key: readonly string[];
  readonly texts?: readonly string[];
  readonly integers?: readonly string[];
  readonly nullableTexts?: readonly string[];
  readonly nullableIntegers?: readonly string[];
}

const tables: Readonly<Record<string, Columns>> = {
  leads: {
    key: ['id'],
    texts: ['type', 'name', 'email', 'message', 'search_text', 'received_at', 'attribution', 'spam_reasons'],
    integers: ['spam_score'],
    nullableTexts: ['company', 'release_id', 'quarantined_at'],
  },
  idempotency_records: {
    key: ['key'],
    texts: ['fingerprint', 'lead_id', 'created_at', 'expires_at'],
    integers: ['answer_status'],
  },
  outbox: {
    key: ['id'],
    texts: ['lead_id', 'kind', 'target', 'state', 'next_attempt_at', 'created_at'],
    integers: ['attempts'],
    nullableTexts: ['leased_until', 'finished_at'],
  },
  delivery_attempts: {
    key: ['id'],
    texts: ['outbox_id', 'started_at', 'outcome', 'answer'],
    integers: ['number', 'latency_ms'],
    nullableIntegers: ['status'],
  },
  erasures: { key: ['address_hash'], texts: ['erased_at'] },
  page_reports: {
    key: ['began_at', 'release_id', 'part', 'version', 'visitors', 'measure'],
    integers: ['count'],
  },
};

const indexes: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ['idempotency_records', ['lead_id']],
  ['idempotency_records', ['expires_at']],
  ['outbox', ['lead_id']],
  ['outbox', ['state', 'next_attempt_at']],
  ['delivery_attempts', ['outbox_id']],
  ['leads', ['received_at']],
];

/** All tables; `tables.ts` documents the columns. Only text and integer columns, because they work the same in both databases. */
export const firstMigration: Migration = {
  async up({ schema }) {
    for (const [name, columns] of Object.entries(tables)) {
      const { key, texts = [], integers = [], nullableTexts = [], nullableIntegers = [] } = columns;
      let table: CreateTableBuilder<string, string> = schema.createTable(name);
      for (const text of [...key, ...texts]) table = table.addColumn(text, 'text', (it) => it.notNull());
      for (const integer of integers) table = table.addColumn(integer, 'integer', (it) => it.notNull());
      for (const text of nullableTexts) table = table.addColumn(text, 'text');
      for (const integer of nullableIntegers) table = table.addColumn(integer, 'integer');
      await table.addPrimaryKeyConstraint(`${name}_key`, [...key]).execute();
    }
    for (const [table, columns] of indexes) {
      await schema
        .createIndex(`${table}_by_${columns[0]}`)
        .on(table)
        .columns([...columns])
        .execute();
    }
    // A case-insensitive index, because senders vary the capitalisation of their address.
    await schema
      .createIndex('leads_by_email')
      .on('leads')
      .expression(sql`lower(email)`)
      .execute();
    // Partial, because few leads are in quarantine.
    await schema
      .createIndex('leads_in_quarantine')
      .on('leads')
      .columns(['id', 'received_at'])
      .where(sql<boolean>`quarantined_at is not null`)
      .execute();
  },
};
