import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import {
  CompiledQuery,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Kysely,
  type QueryExecutorProvider,
} from 'kysely';
import { DatabaseError } from 'pg';
import type { Log } from '../platform/log.ts';
import type { DatabaseAccess, DatabaseLocation } from './database-access.ts';
import { groupInsertParts, type GroupInsert } from './group-insert.ts';
import { lockWaits, transactionSettings } from './transaction-settings.ts';
import { checkedPool } from './postgres/checked-pool.ts';
import { openPool } from './postgres/open-pool.ts';
import { takeTurn, AdvisoryLockDialect } from './postgres/advisory-lock-dialect.ts';
import { FileErrors } from './sqlite/file-errors.ts';
import { openInOwnThread, openInThisThread } from './sqlite/sqlite-connection.ts';
import { batchQuery, RetryingSqliteDriver } from './sqlite/retrying-sqlite-driver.ts';
import type { Tables } from './tables.ts';

/** Milliseconds between attempts to truncate the write-ahead log. */
const truncateInterval = 100;
const maxTruncateAttempts = 50;

/** The only place with differences between the databases. Queries and migrations are the same for both. */
export function accessDatabase(location: DatabaseLocation, log: Log): DatabaseAccess {
  return location.kind === 'sqlite'
    ? accessSqlite(location.directory, location.file, log)
    : accessPostgres(location.url, log);
}

const sqliteParts = groupInsertParts(
  {
    table: () => 'json_each(?)',
    value: (property) => `value ->> '$.${property}'`,
  },
  // The records of earlier groups have their leads already.
  '(select lead_id from idempotency_records where lead_id not in (select id from leads))',
);

/** One transaction. It inserts the leads last, because a claim counts as new only while its lead does not exist. */
const insertIntoSqlite: GroupInsert = ({ idempotencyRecords, leads, outbox }) =>
  batchQuery(
    { sql: sqliteParts.claim, parameters: [JSON.stringify(idempotencyRecords)] },
    { sql: sqliteParts.outbox, parameters: [JSON.stringify(outbox)] },
    { sql: sqliteParts.leads, parameters: [JSON.stringify(leads)] },
  );

const postgresParts = groupInsertParts(
  {
    table(parameter, columns) {
      const definitions = Object.entries(columns).map(([property, type]) => `"${property}" ${type}`);
      return `json_to_recordset($${parameter}) as given (${definitions.join(', ')})`;
    },
    value: (property) => `given."${property}"`,
  },
  // The first part of the statement below.
  'claims',
);
const postgresStatement = `with claims as (${postgresParts.claim}), stored as (${postgresParts.leads}), planned as (${postgresParts.outbox}) select lead_id from claims`;

/** One statement, and so one round trip. Its later parts see the claims only through RETURNING. */
const insertIntoPostgres: GroupInsert = ({ idempotencyRecords, leads, outbox }) =>
  CompiledQuery.raw(
    postgresStatement,
    [idempotencyRecords, leads, outbox].map((rows) => JSON.stringify(rows)),
  );

function accessSqlite(directory: string, name: string, log: Log): DatabaseAccess {
  const file = join(directory, name);
  const fileErrors = new FileErrors(name, log);
  return {
    where: file,
    skipsLocked: false,
    open(use) {
      // Accessible only to this user, because the file holds personal data.
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      // Startup reports its own errors, so they are not logged here as well.
      const recordedErrors = use === 'probe' || use === 'migration' ? undefined : fileErrors;
      const openSqliteConnection = use === 'requests' ? openInOwnThread : openInThisThread;
      return {
        createAdapter: () => new TransactionalSqliteAdapter(),
        createDriver: () =>
          new RetryingSqliteDriver(
            // Opening blocks the thread, so it waits for locks as briefly as requests do.
            () => openSqliteConnection(file, lockWaits.requests),
            lockWaits[use],
            recordedErrors,
          ),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      };
    },
    // No lock is needed, because SQLite runs one writing transaction at a time.
    takeTurn: async () => undefined,
    currentSchema: async () => undefined,
    hasTable: hasSqliteTable,
    async findUnsuitable(db) {
      if (!(await hasSqliteTable(db, 'moves'))) return undefined;
      const { rows } = await sql<{
        target: string;
        finished_at: string | null;
      }>`select target, finished_at from moves`.execute(db);
      const [move] = rows;
      return (
        move &&
        `The leads of ${file} ${move.finished_at === null ? 'are being' : 'were'} moved to ${move.target} by "leads move-to-postgres". Set DATABASE_URL to that database.`
      );
    },
    scrub: truncateLog,
    insertGroup: insertIntoSqlite,
    lastError: () => fileErrors.message,
    unavailability(error) {
      if (!(error instanceof Database.SqliteError)) return undefined;
      const isTemporary = /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOMEM|PROTOCOL|READONLY)/.test(
        error.code,
      );
      return fileErrors.explain(error) ?? (isTemporary ? reasonOf(error) : undefined);
    },
    isRefusal: () => false,
    explain(error) {
      const code = error instanceof Database.SqliteError ? error.code : '';
      if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
        return `${file} is not a readable database. Move it away, restore a backup, or set DATA_DIR to another folder.`;
      }
      if (code.startsWith('SQLITE_BUSY')) {
        return `Another process has locked ${file}. If that is "leads move-to-postgres", set DATABASE_URL to the database that it names.`;
      }
      return `Cannot open ${file} (${reasonOf(error)}). Set DATA_DIR to a folder that this user may write to.`;
    },
  };
}

async function hasSqliteTable(db: QueryExecutorProvider, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = ${table}`.execute(
    db,
  );
  return rows.length > 0;
}

/** Truncates the write-ahead log, which still holds deleted data. That only works while no connection reads. */
async function truncateLog(db: Kysely<Tables>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    if (rows[0]?.busy === 0) return;
    if (attempt === maxTruncateAttempts)
      throw new Error(
        'Cannot truncate the write-ahead log, because another process reads it. Try again later.',
      );
    await setTimeout(truncateInterval);
  }
}

/**
 * Runs migrations in a transaction, so that a failed one leaves nothing behind. Kysely assumes that SQLite cannot do
 * that, but it can.
 */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function accessPostgres(url: string, log: Log): DatabaseAccess {
  const { host, pathname } = new URL(url);
  const where = `postgres://${host}${pathname}`;
  return {
    where,
    skipsLocked: true,
    open: (use) =>
      new AdvisoryLockDialect({ pool: checkedPool(openPool(url, use, log), transactionSettings(use)) }),
    takeTurn,
    async currentSchema(db) {
      const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db);
      return rows[0]?.schema ?? undefined;
    },
    async hasTable(db, table) {
      const { rows } = await sql<{ exists: boolean }>`
        select to_regclass(quote_ident(current_schema()) || '.' || quote_ident(${table})) is not null as exists
      `.execute(db);
      return rows[0]?.exists === true;
    },
    async findUnsuitable(db) {
      const { rows } = await sql<{
        encoding: string;
      }>`select current_setting('server_encoding') as encoding`.execute(db);
      const { encoding = '' } = rows[0] ?? {};
      // SQL_ASCII stores the bytes that it gets.
      if (encoding === 'UTF8' || encoding === 'SQL_ASCII') return undefined;
      return `The database ${where} has the encoding ${encoding}, which lacks characters that visitors type. Restore it into a database with the encoding UTF8, and set DATABASE_URL to that.`;
    },
    // PostgreSQL checks its files itself.
    lastError: () => undefined,
    // PostgreSQL removes deleted rows by autovacuum.
    scrub: async () => undefined,
    insertGroup: insertIntoPostgres,
    unavailability: (error) => (isPostgresUnavailable(error) ? reasonOf(error) : undefined),
    isRefusal: (error) => error instanceof DatabaseError && /^(28|3D|42501)/.test(error.code ?? ''),
    explain: (error) =>
      `Cannot use the database at ${where} (${reasonOf(error)}). Check DATABASE_URL, and that PostgreSQL answers there.`,
  };
}

function isPostgresUnavailable(error: unknown): boolean {
  // SQLSTATE classes: connection, authorization, catalog, rollback, resources, operator intervention, system error.
  // Single codes: read-only transaction, lock not available, insufficient privilege.
  if (error instanceof DatabaseError) {
    return /^(08|28|3D|40|53|57|58|25006|55P03|42501)/.test(error.code ?? '');
  }
  // A lost connection is a plain Error or a system error. These three classes are programming errors.
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  // For a host name with several addresses, Node throws an AggregateError with a code but without a message.
  return error.message || ('code' in error ? String(error.code) : error.name);
}
