import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tables for idempotency, outbox, quarantine and audit. `tables.ts` documents the columns. */
export const handLeadsOn: Migration = {
  async up(db) {
    for (const [column, initial] of [
      ['status', 'new'],
      ['attribution', '{}'],
      ['spam_reasons', '[]'],
    ] as const) {
      await db.schema
        .alterTable('leads')
        .addColumn(column, 'text', (it) => it.notNull().defaultTo(initial))
        .execute();
    }
    await db.schema
      .alterTable('leads')
      .addColumn('spam_score', 'integer', (it) => it.notNull().defaultTo(0))
      .execute();
    for (const column of ['release_id', 'quarantined_at', 'erased_at']) {
      await db.schema.alterTable('leads').addColumn(column, 'text').execute();
    }
    // A case-insensitive index, because senders vary the capitalisation of their address.
    await db.schema
      .createIndex('leads_by_email')
      .on('leads')
      .expression(sql`lower(email)`)
      .execute();

    await db.schema
      .createTable('idempotency_records')
      .addColumn('key', 'text', (it) => it.primaryKey().notNull())
      .addColumn('fingerprint', 'text', (it) => it.notNull())
      .addColumn('lead_id', 'text', (it) => it.notNull())
      .addColumn('answer_status', 'integer', (it) => it.notNull())
      .addColumn('created_at', 'text', (it) => it.notNull())
      .addColumn('expires_at', 'text', (it) => it.notNull())
      .execute();
    await index('idempotency_records', 'lead_id');
    await index('idempotency_records', 'expires_at');

    await db.schema
      .createTable('outbox')
      .addColumn('id', 'text', (it) => it.primaryKey().notNull())
      .addColumn('lead_id', 'text', (it) => it.notNull())
      .addColumn('kind', 'text', (it) => it.notNull())
      .addColumn('target', 'text', (it) => it.notNull())
      .addColumn('state', 'text', (it) => it.notNull())
      .addColumn('attempts', 'integer', (it) => it.notNull())
      .addColumn('next_attempt_at', 'text', (it) => it.notNull())
      .addColumn('leased_until', 'text')
      .addColumn('created_at', 'text', (it) => it.notNull())
      .addColumn('finished_at', 'text')
      .execute();
    await index('outbox', 'lead_id');
    await db.schema
      .createIndex('outbox_by_state')
      .on('outbox')
      .columns(['state', 'next_attempt_at'])
      .execute();

    await db.schema
      .createTable('delivery_attempts')
      .addColumn('id', 'text', (it) => it.primaryKey().notNull())
      .addColumn('outbox_id', 'text', (it) => it.notNull())
      .addColumn('number', 'integer', (it) => it.notNull())
      .addColumn('started_at', 'text', (it) => it.notNull())
      .addColumn('latency_ms', 'integer', (it) => it.notNull())
      .addColumn('outcome', 'text', (it) => it.notNull())
      .addColumn('status', 'integer')
      .addColumn('answer', 'text', (it) => it.notNull())
      .execute();
    await index('delivery_attempts', 'outbox_id');

    await db.schema
      .createTable('erasures')
      .addColumn('address_hash', 'text', (it) => it.primaryKey().notNull())
      .addColumn('erased_at', 'text', (it) => it.notNull())
      .execute();

    await db.schema
      .createTable('audit_entries')
      .addColumn('id', 'text', (it) => it.primaryKey().notNull())
      .addColumn('at', 'text', (it) => it.notNull())
      .addColumn('actor', 'text', (it) => it.notNull())
      .addColumn('action', 'text', (it) => it.notNull())
      .addColumn('lead_id', 'text')
      .addColumn('details', 'text', (it) => it.notNull())
      .execute();
    await index('audit_entries', 'lead_id');

    await db.schema
      .createTable('rate_limits')
      .addColumn('key', 'varchar(255)', (it) => it.primaryKey().notNull())
      .addColumn('points', 'integer', (it) => it.notNull().defaultTo(0))
      .addColumn('expire', 'bigint')
      .execute();

    function index(table: string, column: string): Promise<void> {
      return db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute();
    }
  },
};
