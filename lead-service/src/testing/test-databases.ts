import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import type { DatabaseLocation } from '../database/database-access.ts';
import { connect, type Database as LeadDatabase } from '../database/database.ts';
import { accessDatabase } from '../database/dialects.ts';
import { migrate } from '../database/migrate.ts';
import type { AuditEntryRow } from '../database/tables.ts';
import type { AdminContext } from '../lead-admin/admin-context.ts';
import { testDatabaseUrl } from './config.ts';
import { createMemoryLog } from './memory-log.ts';
import { until } from './until.ts';

/** Columns of the table `leads`, with their names in the database. */
export interface LeadRow {
  id: string;
  type: string;
  name: string;
  email: string;
  company: string | null;
  message: string;
  received_at: string;
}

/** A database for one test, which can inspect and lock it through a separate connection. */
export interface TestDatabase extends AsyncDisposable {
  readonly location: DatabaseLocation;
  /** Data directory of a service on this database. */
  readonly dataDirectory: string;
  /** Environment of a service process on this database. */
  readonly environment: Readonly<Record<string, string>>;
  leads(): Promise<LeadRow[]>;
  execute(statement: string): Promise<void>;
  /** Blocks all other writers of leads while the action runs. */
  whileLocked<Result>(action: () => Promise<Result>): Promise<Result>;
}

/** A test database with the schema of the service. It connects at the first query, so that a test can crash a service before. */
export interface OpenedDatabase extends TestDatabase, LeadDatabase {
  /** For operations of sales, by the actor `test`. */
  readonly admin: AdminContext;
  /** All entries of the audit log, the oldest first. */
  audited(): Promise<AuditEntryRow[]>;
}

export interface DatabaseKind {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Options of each test on it: skipped, with the reason, where there is no such database. */
  readonly options: { readonly skip: string | false };
  /** An empty database. */
  create(): Promise<TestDatabase>;
  open(): Promise<OpenedDatabase>;
}

/** PostgreSQL of `TEST_DATABASE_URL`. Without one, its tests are skipped. */
export const postgres: DatabaseKind = {
  name: 'PostgreSQL',
  options: { skip: testDatabaseUrl === undefined && 'TEST_DATABASE_URL is not set' },
  create: createPostgres,
  open: () => openCreated(createPostgres),
};

export const sqlite: DatabaseKind = {
  name: 'SQLite',
  options: { skip: false },
  create: createSqlite,
  open: () => openCreated(createSqlite),
};

/** The databases for a suite. */
export const databaseKinds: readonly DatabaseKind[] = [sqlite, postgres];

async function openCreated(create: () => Promise<TestDatabase>): Promise<OpenedDatabase> {
  await using opening = new AsyncDisposableStack();
  const created = opening.use(await create());
  const { location, dataDirectory } = created;
  const access = accessDatabase(location, createMemoryLog());
  await migrate(access);
  const database = opening.adopt(connect(access), ({ close }) => close());
  const opened = opening.move();
  return {
    ...created,
    ...database,
    admin: { database, dataDirectory, actor: 'test' },
    audited: () => database.db.selectFrom('auditEntries').selectAll().orderBy('id').execute(),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const selectLeads = 'select * from leads order by id';

/**
 * Retries while another connection has the lock. SQLite's own waiting would block this process, and with it a service in it
 * that holds the lock.
 */
async function whenUnlocked<Result>(action: () => Result): Promise<Result> {
  const attempt = () => {
    try {
      return { result: action() };
    } catch (error) {
      if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') return undefined;
      throw error;
    }
  };
  const done = await until(attempt);
  if (!done) throw new TypeError('Only a result ends the retries.');
  return done.result;
}

/** A database in a new data directory. */
async function createSqlite(): Promise<TestDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'lead-service-'));
  async function connected<Result>(
    action: (database: Database.Database) => Result,
  ): Promise<Awaited<Result>> {
    const database = new Database(join(directory, 'leads.sqlite'), { timeout: 0 });
    try {
      return await action(database);
    } finally {
      database.close();
    }
  }
  return {
    location: { kind: 'sqlite', directory, file: 'leads.sqlite' },
    dataDirectory: directory,
    environment: { DATA_DIR: directory },
    leads: () =>
      connected((database) => whenUnlocked(() => database.prepare<[], LeadRow>(selectLeads).all())),
    execute: (statement) => connected((database) => whenUnlocked(() => void database.exec(statement))),
    whileLocked: (action) =>
      connected(async (database) => {
        await whenUnlocked(() => void database.exec('begin immediate'));
        return action();
      }),
    async [Symbol.asyncDispose]() {
      rmSync(directory, { recursive: true });
    },
  };
}

async function createPostgres(serverUrl = testDatabaseUrl): Promise<TestDatabase> {
  if (serverUrl === undefined) throw new Error('TEST_DATABASE_URL is not set.');
  // A database and not a schema, because introspection fails if another schema is dropped concurrently.
  const name = `lead_service_${randomUUID().replaceAll('-', '')}`;
  const address = new URL(serverUrl);
  address.pathname = name;
  const url = address.href;
  const dataDirectory = mkdtempSync(join(tmpdir(), 'lead-service-'));
  await withClient(serverUrl, (client) => client.query(`create database ${name}`));
  return {
    location: { kind: 'postgres', url },
    dataDirectory,
    environment: {
      DATABASE_URL: url,
      DATA_DIR: dataDirectory,
      LEADS_SECRET: 'a secret that only the tests of the service use',
    },
    leads: () => withClient(url, async (client) => (await client.query<LeadRow>(selectLeads)).rows),
    execute: (statement) => withClient(url, async (client) => void (await client.query(statement))),
    whileLocked: (action) =>
      withClient(url, async (client) => {
        await client.query('begin; lock table leads in access exclusive mode');
        return await action();
      }),
    async [Symbol.asyncDispose]() {
      await withClient(serverUrl, (client) => client.query(`drop database ${name} with (force)`));
      rmSync(dataDirectory, { recursive: true });
    },
  };
}

async function withClient<Result>(url: string, action: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}
