import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** `tables.ts` documents the columns. Only text and integer columns, because they work the same in both databases. */
const statements = `
create table leads (
  id text not null, type text not null, name text not null, email text not null, message text not null,
  search_text text not null, received_at text not null, attribution text not null, spam_reasons text not null,
  spam_score integer not null, company text, release_id text, quarantined_at text,
  constraint leads_key primary key (id)
);
create table idempotency_records (
  key text not null, fingerprint text not null, lead_id text not null, created_at text not null,
  expires_at text not null, answer_status integer not null,
  constraint idempotency_records_key primary key (key)
);
create table outbox (
  id text not null, lead_id text not null, kind text not null, target text not null, state text not null,
  next_attempt_at text not null, created_at text not null, attempts integer not null, leased_until text, finished_at text,
  constraint outbox_key primary key (id)
);
create table delivery_attempts (
  id text not null, outbox_id text not null, started_at text not null, outcome text not null, answer text not null,
  number integer not null, latency_ms integer not null, status integer,
  constraint delivery_attempts_key primary key (id)
);
create table erasures (
  address_hash text not null, erased_at text not null,
  constraint erasures_key primary key (address_hash)
);
create table page_reports (
  began_at text not null, release_id text not null, part text not null, version text not null, visitors text not null,
  measure text not null, count integer not null,
  constraint page_reports_key primary key (began_at, release_id, part, version, visitors, measure)
);
create index idempotency_records_by_lead_id on idempotency_records (lead_id);
create index idempotency_records_by_expires_at on idempotency_records (expires_at);
create index outbox_by_lead_id on outbox (lead_id);
create index outbox_by_state on outbox (state, next_attempt_at);
create index delivery_attempts_by_outbox_id on delivery_attempts (outbox_id);
create index leads_by_received_at on leads (received_at);
-- Case-insensitive, because senders vary the capitalisation of their address.
create index leads_by_email on leads (lower(email));
-- Partial, because few leads are in quarantine.
create index leads_in_quarantine on leads (id, received_at) where quarantined_at is not null
`;

export const firstMigration: Migration = {
  async up(db) {
    // One by one, because SQLite prepares no more than one statement.
    for (const statement of statements.split(';')) await sql.raw(statement).execute(db);
  },
};
