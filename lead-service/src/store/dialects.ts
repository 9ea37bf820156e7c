import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { PostgresAdapter, PostgresDialect, sql, type Kysely } from 'kysely';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { DatabaseError, Pool, type ClientBase, type PoolConfig } from 'pg';
import { describeError, type Log } from '../log.ts';
import { checkedPool } from './checked-pool.ts';
import type { ConnectionUse, DatabaseAccess, DatabaseLocation } from './database-access.ts';
import type { Tables } from './tables.ts';
import { WaitingSqliteDriver } from './waiting-sqlite-driver.ts';

/** How long a statement waits for somebody else's lock: while a visitor waits, and while nobody does. */
const lockWait = 1_000;
const patientLockWait = 10_000;
const connectTimeout = 5_000;
const queryTimeout = 5_000;
/** A step of a migration, or a command over everything, may take long. A line that has gone dead ends all the same. */
const patientQueryTimeout = 10 * 60_000;
const keepAliveDelay = 10_000;
/** SQLite sleeps through this, and the whole process with it. */
const sleep = 2;
/** The one that Kysely takes, as earlier versions did. */
const migrationLock = sql.lit(3_853_314_791_062_309_107n);
const betweenTurns = 100;
const betweenScrubs = 100;
const mostScrubs = 50;

const isPatient = (use: ConnectionUse) => use === 'migration' || use === 'commands';

/** Everything in which the databases differ stands in this file. Queries and migrations are the same for both. */
export function accessDatabase(location: DatabaseLocation, log: Log): DatabaseAccess {
  return location.kind === 'sqlite'
    ? accessSqlite(location.directory, location.file)
    : accessPostgres(location.url, log);
}

function accessSqlite(directory: string, name: string): DatabaseAccess {
  const file = join(directory, name);
  return {
    where: file,
    skipsLocked: false,
    open(use) {
      // Only for this user: the file holds personal data.
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const database = openSqlite(file);
      return {
        createAdapter: () => new TransactionalSqliteAdapter(),
        createDriver: () => new WaitingSqliteDriver(database, isPatient(use) ? patientLockWait : lockWait),
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      };
    },
    currentSchema: async () => undefined,
    async hasTable(db, table) {
      const { rows } =
        await sql`select 1 from sqlite_master where type = 'table' and name = ${table}`.execute(db);
      return rows.length > 0;
    },
    scrub: emptyLog,
    unavailability: (error) =>
      error instanceof Database.SqliteError &&
      /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|NOMEM|PROTOCOL|READONLY)/.test(error.code)
        ? reasonOf(error)
        : undefined,
    explain: (error) =>
      error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)
        ? `${file} is not a readable database. Move it away, restore a backup, or set DATA_DIR to another folder.`
        : `Cannot open ${file} (${reasonOf(error)}). Set DATA_DIR to a folder that this user may write to.`,
  };
}

function openSqlite(file: string): Database.Database {
  const database = new Database(file, { timeout: lockWait });
  try {
    database.pragma('journal_mode = WAL');
    // The library's default for WAL, NORMAL, may lose the last commits when the power fails.
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    // What is deleted is overwritten with zeros.
    database.pragma('secure_delete = ON');
    database.pragma(`busy_timeout = ${sleep}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
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
    open: (use) => new TurnTakingDialect({ pool: checkedPool(openPool(url, use, log)) }),
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
    // Its own vacuuming does it.
    scrub: async () => undefined,
    unavailability: (error) => (isPostgresUnavailable(error) ? reasonOf(error) : undefined),
    explain: (error) =>
      `Cannot use the database at ${where} (${reasonOf(error)}). Check DATABASE_URL, and that PostgreSQL answers there.`,
  };
}

const timeouts = {
  requests: { lock_timeout: lockWait, query_timeout: queryTimeout },
  commands: { lock_timeout: patientLockWait, query_timeout: patientQueryTimeout },
  migration: { lock_timeout: patientLockWait, query_timeout: patientQueryTimeout },
  counters: { connectionTimeoutMillis: 1_000, query_timeout: 1_000, lock_timeout: 500, max: 2 },
} satisfies Record<ConnectionUse, PoolConfig>;

function openPool(url: string, use: ConnectionUse, log: Log): Pool {
  const pool = new Pool({
    connectionString: url,
    application_name: 'lead-service',
    connectionTimeoutMillis: connectTimeout,
    // Bounds the time in which a connection whose other end has vanished without a word is used again.
    maxLifetimeSeconds: 60,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveDelay,
    onConnect: (client) => prepareConnection(client, use),
    ...timeouts[use],
  });
  const noteLoss = (error: Error) => log.error('lost a database connection', { error: describeError(error) });
  pool.on('error', noteLoss);
  // The pool listens to idle connections only; the loss of one in use would end the process.
  pool.on('acquire', (client) => client.on('error', noteLoss));
  pool.on('release', (_error, client) => client.off('error', noteLoss));
  return pool;
}

/** A server may be set up to confirm a commit before it is on disk. */
const onDisk = `select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;
const soon = `set synchronous_commit to off`;

async function prepareConnection(client: ClientBase, use: ConnectionUse): Promise<void> {
  const settings = { text: use === 'counters' ? soon : onDisk, query_timeout: connectTimeout };
  await client.query(settings);
}

/** Those who migrate take turns. The library's way would wait in PostgreSQL, for an hour and after the client has gone. */
class TurnTakingAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<unknown>): Promise<void> {
    const attempt = sql<{ locked: boolean }>`select pg_try_advisory_lock(${migrationLock}) as locked`;
    while ((await attempt.execute(db)).rows[0]?.locked !== true) await setTimeout(betweenTurns);
  }

  override async releaseMigrationLock(db: Kysely<unknown>): Promise<void> {
    await sql`select pg_advisory_unlock(${migrationLock})`.execute(db);
  }
}

class TurnTakingDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new TurnTakingAdapter();
  }
}

function isPostgresUnavailable(error: unknown): boolean {
  // Classes: connection, rollback, resources, operator, system; then read-only and lock not available.
  if (error instanceof DatabaseError) return /^(08|40|53|57|58|25006|55P03)/.test(error.code ?? '');
  // A lost connection comes as a plain error or one of the system's, which only these are not.
  return !(error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  // When a name has several addresses, the error for all of them has a code but no message.
  return error.message || ('code' in error ? String(error.code) : error.name);
}
