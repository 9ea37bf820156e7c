import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  CompiledQuery,
  sql,
  SqliteAdapter,
  SqliteDialect,
  type Kysely,
  type SqliteDatabase,
  type SqliteStatement,
} from 'kysely';
import { reasonOf, type ConnectionUse, type DatabaseAccess } from './database-access.ts';
import {
  groupInsert,
  leadColumns,
  outboxColumns,
  recordColumns,
  type Columns,
  type LeadRows,
} from './group-insert.ts';
import type { Tables } from './tables.ts';

/** In milliseconds. SQLite blocks the thread while it waits for the lock of another process. */
const lockTimeouts: Record<ConnectionUse, number> = { requests: 1_000, commands: 10_000 };
const maxCachedStatements = 100;

/** Primary result codes of SQLite after which a retry may succeed, or an operator can help. */
const unavailable: ReadonlySet<number> = new Set([
  ...[/* BUSY */ 5, /* LOCKED */ 6, /* NOMEM */ 7, /* READONLY */ 8, /* IOERR */ 10, /* CORRUPT */ 11],
  ...[/* FULL */ 13, /* CANTOPEN */ 14, /* PROTOCOL */ 15, /* NOTADB */ 26],
]);

/** SQLite inserts one row per statement. {@link prepareGroup} leaves out the rows of leads whose key was stored before. */
const insertStatements = groupInsert((columns) => `values (${Object.keys(columns).fill('?').join(', ')})`);

export function accessSqlite(directory: string, name: string): DatabaseAccess {
  const file = join(directory, name);
  return {
    where: file,
    skipsLocked: false,
    open: (use) => new TransactionalSqliteDialect({ database: async () => openFile(directory, file, use) }),
    findUnsuitable: async () => undefined,
    insertGroup,
    addToCounters: undefined,
    async scrub(db) {
      // The write-ahead log still holds deleted data. It can be truncated only while no connection reads.
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
      if (rows[0]?.busy === 0) return;
      throw new Error(
        'Cannot truncate the write-ahead log, because another process reads it. Try again later.',
      );
    },
    unavailability: (error) => (unavailable.has(resultCode(error)) ? reasonOf(error) : undefined),
    isRefusal: () => false,
    explain: (error) =>
      `Cannot use ${file} (${reasonOf(error)}). Set DATA_DIR to a folder that this user may write to, or restore a backup.`,
  };
}

/** Not SQL, but a mark by which `adapt` inserts a whole group: Kysely takes longer for one query than SQLite for one insert. */
const groupStatement = 'insert a group of leads';

async function insertGroup(db: Kysely<Tables>, rows: LeadRows): Promise<readonly string[]> {
  const result = await db.executeQuery<{ leadId: string }>(CompiledQuery.raw(groupStatement, [rows]));
  return result.rows.map(({ leadId }) => leadId);
}

/** Inserts a group in a transaction of its own, unless one is open. Nothing else uses the connection meanwhile. */
function prepareGroup(database: DatabaseSync): SqliteStatement['all'] {
  const claim = prepareInsert(database, insertStatements.claim, recordColumns);
  const addLead = prepareInsert(database, insertStatements.lead, leadColumns);
  const addDelivery = prepareInsert(database, insertStatements.delivery, outboxColumns);
  const insert = ({ idempotencyRecords, leads, outbox }: LeadRows) => {
    const claims = idempotencyRecords.filter((record) => claim(record).length > 0);
    const claimed = new Set(claims.map(({ leadId }) => leadId));
    for (const lead of leads) if (claimed.has(lead.id)) addLead(lead);
    for (const delivery of outbox) if (claimed.has(delivery.leadId)) addDelivery(delivery);
    // As a row, whose names Kysely's plugin turns into camel case.
    return claims.map(({ leadId }) => ({ lead_id: leadId }));
  };
  return (parameters) => {
    const [rows] = parameters as readonly [LeadRows];
    if (database.isTransaction) return insert(rows);
    database.exec('begin immediate');
    try {
      const inserted = insert(rows);
      database.exec('commit');
      return inserted;
    } finally {
      // After an error, unless SQLite has rolled back, as it does when the disk is full.
      if (database.isTransaction) database.exec('rollback');
    }
  };
}

function prepareInsert<Row extends object>(
  database: DatabaseSync,
  text: string,
  columns: Columns<Row>,
): (row: Row) => readonly unknown[] {
  const statement = database.prepare(text);
  const properties = Object.keys(columns) as Extract<keyof Row, string>[];
  return (row) => statement.all(...properties.map((property) => row[property] as SQLInputValue));
}

/** The primary result code of SQLite, or 0 for another error. The extended code has more bits. */
export function resultCode(error: unknown): number {
  if (!(error instanceof Error && 'errcode' in error)) return 0;
  return Number(error.errcode) & 0xff;
}

/** Opens the file, and creates it if it is missing. */
function openFile(directory: string, file: string, use: ConnectionUse): SqliteDatabase {
  // Accessible only to this user, because the file holds personal data. The WAL files inherit the mode.
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(file, { timeout: lockTimeouts[use] });
  try {
    chmodSync(file, 0o600);
    database.exec('pragma journal_mode = WAL');
    // With WAL, NORMAL may lose the last commits in a power failure.
    database.exec('pragma synchronous = FULL');
    // Overwrites deleted data with zeros.
    database.exec('pragma secure_delete = ON');
    return adapt(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Adapts `node:sqlite` to Kysely, which expects the interface of another package. */
function adapt(database: DatabaseSync): SqliteDatabase {
  /** Preparing a statement takes about as long as running it. */
  const cache = new Map<string, SqliteStatement>();
  function prepare(text: string): SqliteStatement {
    // Prepared as a statement that returns rows, so that Kysely calls `all`.
    if (text === groupStatement) return { ...prepare('select 1'), all: prepareGroup(database) };
    const statement = database.prepare(text);
    const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...values(parameters)),
      run: (parameters) => statement.run(...values(parameters)),
      iterate: (parameters) => statement.iterate(...values(parameters)),
    };
  }
  return {
    close: () => database.close(),
    prepare(text) {
      // SQLite has already rolled back when the disk is full.
      if (text === 'rollback' && !database.isTransaction) return prepare('select 1 where false');
      const cached = cache.get(text);
      if (cached !== undefined) return cached;
      // Takes the write lock at the start, because SQLite cannot wait when a reading transaction starts to write.
      const statement = prepare(text === 'begin' ? 'begin immediate' : text);
      if (cache.size === maxCachedStatements) cache.clear();
      cache.set(text, statement);
      return statement;
    },
  };
}

/** Runs migrations in a transaction. Kysely assumes that SQLite cannot do that, but it can. */
class TransactionalSqliteDialect extends SqliteDialect {
  override createAdapter(): SqliteAdapter {
    return new TransactionalSqliteAdapter();
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
