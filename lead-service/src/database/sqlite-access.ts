import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  sql,
  SqliteAdapter,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';
import { ExplainedError } from '../platform/explained-error.ts';
import { reasonOf } from '../platform/log.ts';
import { createDirectory } from '../platform/replace-file.ts';
import type { ConnectionUse, DatabaseAccess } from './database-access.ts';
import {
  insertStatements,
  leadColumns,
  outboxColumns,
  recordColumns,
  type Columns,
  type LeadRows,
} from './insert-statements.ts';

/** In milliseconds. SQLite blocks the thread while it waits for the lock of another process. */
const lockTimeouts: Record<ConnectionUse, number> = { requests: 1_000, commands: 10_000 };
const maxCachedStatements = 100;

/** Primary result codes of SQLite after which a retry may succeed, or an operator can help. */
const unavailable: ReadonlySet<number> = new Set([
  ...[/* BUSY */ 5, /* LOCKED */ 6, /* NOMEM */ 7, /* READONLY */ 8, /* IOERR */ 10, /* CORRUPT */ 11],
  ...[/* FULL */ 13, /* CANTOPEN */ 14, /* PROTOCOL */ 15, /* NOTADB */ 26],
]);

/** SQLite inserts one row per statement. {@link prepareGroup} leaves out the rows of leads whose key was stored before. */
const statements = insertStatements((columns) => `values (${Object.keys(columns).fill('?').join(', ')})`);

export function accessSqlite(directory: string, name: string): DatabaseAccess {
  const file = join(directory, name);
  let database: DatabaseSync | undefined;
  let insertRows: ReturnType<typeof prepareGroup> | undefined;
  return {
    where: file,
    hasSeveralWriters: false,
    open: (use) => createDialect(async () => (database = await openFile(directory, file, use))),
    findUnsuitable: async () => undefined,
    insertGroup(db, rows) {
      // Past Kysely, which takes longer for one query than SQLite for one insert, but on its only connection, in its transaction.
      const insert = async () => {
        if (database === undefined) throw new Error(`${file} is not open.`);
        insertRows ??= prepareGroup(database);
        return insertRows(rows);
      };
      return db.isTransaction ? insert() : db.transaction().execute(insert);
    },
    addToCounters: undefined,
    async scrub(db) {
      // The write-ahead log still holds deleted data. It can be truncated only while no connection reads.
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
      if (rows[0]?.busy === 0) return;
      throw new ExplainedError(
        'What was deleted is still in the write-ahead log, because another process reads it. Try again later.',
      );
    },
    unavailability: (error) => (unavailable.has(resultCode(error)) ? reasonOf(error) : undefined),
    isWrongSetting: () => false,
    explain: (error) =>
      `Cannot use ${file} (${reasonOf(error)}). ${remedyFor(error, ', or restore a backup')}`,
  };
}

/** Prepares the statements of a group. Returns a function that inserts the leads whose keys are claimed, and returns their ids. */
function prepareGroup(database: DatabaseSync) {
  const prepare = <Row extends object>(text: string, columns: Columns<Row>) => {
    const statement = database.prepare(text);
    const properties = Object.keys(columns) as Extract<keyof Row, string>[];
    return (row: Row) => statement.all(...properties.map((property) => row[property] as SQLInputValue));
  };
  const claim = prepare(statements.claim, recordColumns);
  const addLead = prepare(statements.lead, leadColumns);
  const addDelivery = prepare(statements.delivery, outboxColumns);
  return ({ idempotencyRecords, leads, outbox }: LeadRows): readonly string[] => {
    const claims = idempotencyRecords.filter((record) => claim(record).length > 0);
    const claimed = new Set(claims.map(({ leadId }) => leadId));
    for (const lead of leads) if (claimed.has(lead.id)) addLead(lead);
    for (const delivery of outbox) if (claimed.has(delivery.leadId)) addDelivery(delivery);
    return claims.map(({ leadId }) => leadId);
  };
}

/** The primary result code of SQLite, or 0 for another error. The extended code has more bits. */
export function resultCode(error: unknown): number {
  if (!(error instanceof Error && 'errcode' in error)) return 0;
  return Number(error.errcode) & 0xff;
}

/** Whether an error of SQLite means that another process, or another connection, holds the lock. */
export function isLocked(error: unknown): boolean {
  return [/* BUSY */ 5, /* LOCKED */ 6].includes(resultCode(error));
}

/**
 * What the operator can do about a file that cannot be opened. Another folder is no remedy for a full disk, because it lacks the leads.
 *
 * @param alternative to another folder
 */
export function remedyFor(error: unknown, alternative = ''): string {
  if (isLocked(error)) return 'Another process has locked it. Wait for it, or end it.';
  const code = resultCode(error);
  // Without space for the files of the write-ahead log, the code is IOERR.
  const isDisk = code === /* IOERR */ 10 || code === /* FULL */ 13;
  if (isDisk) return 'Free space on that disk, or repair it.';
  return `Set DATA_DIR to a folder that this user may write to${alternative}.`;
}

/** Opens the file, and creates it if it is missing. */
async function openFile(directory: string, file: string, use: ConnectionUse): Promise<DatabaseSync> {
  await createDirectory(directory);
  const database = new DatabaseSync(file, { timeout: lockTimeouts[use] });
  try {
    // Accessible only to this user, because the file holds personal data. The WAL files inherit the mode.
    chmodSync(file, 0o600);
    database.exec('pragma journal_mode = WAL');
    // With WAL, NORMAL may lose the last commits in a power failure.
    database.exec('pragma synchronous = FULL');
    // Overwrites deleted data with zeros.
    database.exec('pragma secure_delete = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Adapts `node:sqlite` to Kysely, which expects the interface of another package. */
function adapt(database: DatabaseSync): SqliteDatabase {
  /** Preparing a statement takes about as long as running it. */
  const cache = new Map<string, SqliteStatement>();
  const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
  return {
    close: () => database.close(),
    prepare(text) {
      const cached = cache.get(text);
      if (cached !== undefined) return cached;
      const statement = database.prepare(text);
      const adapted: SqliteStatement = {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
      if (cache.size === maxCachedStatements) cache.clear();
      cache.set(text, adapted);
      return adapted;
    },
  };
}

/** Opens the file at the first query. */
function createDialect(open: () => Promise<DatabaseSync>): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new ImmediateSqliteDriver(open),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

class ImmediateSqliteDriver extends SqliteDriver {
  #database: DatabaseSync | undefined;

  constructor(open: () => Promise<DatabaseSync>) {
    super({ database: async () => adapt((this.#database = await open())) });
  }

  /** Takes the write lock at the start, because SQLite cannot wait when a reading transaction starts to write. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** SQLite has already rolled back when the disk is full. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#database?.isTransaction) await super.rollbackTransaction(connection);
  }
}

/** Runs migrations in a transaction. Kysely assumes that SQLite cannot do that, but it can. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
