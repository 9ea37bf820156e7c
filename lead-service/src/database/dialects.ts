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
} from 'kysely';
import { DatabaseError } from 'pg';
import type { Log } from '../log.ts';
import { checkedPool } from './checked-pool.ts';
import type { DatabaseAccess, DatabaseLocation } from './database-access.ts';
import { FileFaults } from './file-faults.ts';
import { groupInsertParts, type GroupInsert } from './group-insert.ts';
import { lockWaits } from './lock-waits.ts';
import { openPool } from './open-pool.ts';
import { openInOwnThread, openInThisThread } from './sqlite-line.ts';
import type { Tables } from './tables.ts';
import { transactionSettings } from './transaction-settings.ts';
import { takeTurn, TurnTakingDialect } from './turn-taking-dialect.ts';
import { batchQuery, WaitingSqliteDriver } from './waiting-sqlite-driver.ts';

const betweenScrubs = 100;
const mostScrubs = 50;

/** Everything in which the databases differ is decided in this file. Queries and migrations are the same for both. */
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
  // Claims of before have their leads already.
  '(select lead_id from idempotency_records where lead_id not in (select id from leads))',
);

/** One transaction. The leads come last: by their absence, claims are known to be new. */
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
  'claims',
);
const postgresStatement = `with claims as (${postgresParts.claim}), stored as (${postgresParts.leads}), planned as (${postgresParts.outbox}) select lead_id from claims`;

/** One statement, and so one answer to wait for. It sees its claims only in what they return. */
const insertIntoPostgres: GroupInsert = ({ idempotencyRecords, leads, outbox }) =>
  CompiledQuery.raw(
    postgresStatement,
    [idempotencyRecords, leads, outbox].map((rows) => JSON.stringify(rows)),
  ) as ReturnType<GroupInsert>;

function accessSqlite(directory: string, name: string, log: Log): DatabaseAccess {
  const file = join(directory, name);
  const faults = new FileFaults(name, log);
  return {
    where: file,
    skipsLocked: false,
    open(use) {
      // Only for this user: the file holds personal data.
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      // The start reports its own failure, so it is not logged here as well.
      const watching = use === 'look' || use === 'migration' ? undefined : faults;
      const openLine = use === 'requests' ? openInOwnThread : openInThisThread;
      return {
        createAdapter: () => new TransactionalSqliteAdapter(),
        createDriver: () =>
          new WaitingSqliteDriver(() => openLine(file, lockWaits.requests), lockWaits[use], watching),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      };
    },
    // A transaction that writes is alone.
    takeTurn: async () => undefined,
    currentSchema: async () => undefined,
    async hasTable(db, table) {
      const { rows } =
        await sql`select 1 from sqlite_master where type = 'table' and name = ${table}`.execute(db);
      return rows.length > 0;
    },
    scrub: emptyLog,
    insertGroup: insertIntoSqlite,
    fault: () => faults.message,
    unavailability(error) {
      if (!(error instanceof Database.SqliteError)) return undefined;
      const isPassing = /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOMEM|PROTOCOL|READONLY)/.test(error.code);
      return faults.explain(error) ?? (isPassing ? reasonOf(error) : undefined);
    },
    isRefusal: () => false,
    explain: (error) =>
      error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)
        ? `${file} is not a readable database. Move it away, restore a backup, or set DATA_DIR to another folder.`
        : `Cannot open ${file} (${reasonOf(error)}). Set DATA_DIR to a folder that this user may write to.`,
  };
}

/** The write-ahead log still holds what was overwritten. It can be emptied only while nobody reads. */
async function emptyLog(db: Kysely<Tables>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
    if (rows[0]?.busy === 0) return;
    if (attempt === mostScrubs) throw new Error('The write-ahead log is being read and cannot be emptied.');
    await setTimeout(betweenScrubs);
  }
}

/** Lets a migration that is interrupted leave nothing behind. SQLite can do it, Kysely assumes that it cannot. */
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
      new TurnTakingDialect({ pool: checkedPool(openPool(url, use, log), transactionSettings(use)) }),
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
    // PostgreSQL looks after its files.
    fault: () => undefined,
    // Its own vacuuming does it.
    scrub: async () => undefined,
    insertGroup: insertIntoPostgres,
    unavailability: (error) => (isPostgresUnavailable(error) ? reasonOf(error) : undefined),
    isRefusal: (error) => error instanceof DatabaseError && /^(28|3D|42501)/.test(error.code ?? ''),
    explain: (error) =>
      `Cannot use the database at ${where} (${reasonOf(error)}). Check DATABASE_URL, and that PostgreSQL answers there.`,
  };
}

function isPostgresUnavailable(error: unknown): boolean {
  // Classes: connection, login, catalogue, rollback, resources, operator, system; then read-only, lock, permission.
  if (error instanceof DatabaseError) {
    return /^(08|28|3D|40|53|57|58|25006|55P03|42501)/.test(error.code ?? '');
  }
  // A lost connection comes as a plain error or one of the system's, which only these are not.
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  // When a name has several addresses, the error for all of them has a code but no message.
  return error.message || ('code' in error ? String(error.code) : error.name);
}
