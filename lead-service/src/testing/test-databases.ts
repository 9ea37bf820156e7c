import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql, type RawBuilder } from 'kysely';
import { Client } from 'pg';
import type { DatabaseLocation } from '../database/database-access.ts';
import { connect, type Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { resultCode } from '../database/sqlite-access.ts';
import type { LeadRow, Tables } from '../database/tables.ts';
import type { AdminContext } from '../lead-admin/admin-context.ts';
import { testDatabaseUrl } from './config.ts';
import { createMemoryLog } from './memory-log.ts';
import { until } from './until.ts';

type StoredLead = Pick<LeadRow, 'id' | 'message'>;

/** A database for one test, which can inspect and lock it through a separate connection. */
export interface TestDatabase extends AsyncDisposable {
  readonly location: DatabaseLocation;
  /** Data directory of a service on this database. */
  readonly dataDirectory: string;
  /** Environment of a service process on this database. */
  readonly environment: Readonly<Record<string, string>>;
  /** The stored leads, the oldest first. */
  leads(): Promise<StoredLead[]>;
  execute(statement: string): Promise<void>;
  /** Blocks all other writers of leads while the action runs. */
  whileLocked<Result>(action: () => Promise<Result>): Promise<Result>;
}

/** A test database with the schema of the service. It connects at the first query, so that a test can crash a service before. */
export interface OpenedDatabase extends TestDatabase, Database {
  /** For operations of sales. */
  readonly admin: AdminContext;
  leads(): Promise<LeadRow[]>;
  /** The rows of a table with these values, ordered by id. */
  rows<Table extends keyof Tables>(table: Table, where?: Partial<Tables[Table]>): Promise<Tables[Table][]>;
  insert<Table extends keyof Tables>(table: Table, ...rows: readonly Partial<Tables[Table]>[]): Promise<void>;
  update<Table extends keyof Tables>(
    table: Table,
    values: Partial<Tables[Table]>,
    where?: Partial<Tables[Table]>,
  ): Promise<void>;
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
  const database = opening.adopt(connect(location, createMemoryLog()), ({ close }) => close());
  await migrate(database);
  async function rows<Table extends keyof Tables>(table: Table, where?: Partial<Tables[Table]>) {
    const select = sql<Tables[Table]>`select * from ${sql.table(table)} where ${matching(where)}`;
    const { rows } = await select.execute(database.db);
    const idOf = (row: object) => ('id' in row ? String(row.id) : '');
    return rows.sort((a, b) => Number(idOf(a) > idOf(b)) - Number(idOf(a) < idOf(b)));
  }
  const opened = opening.move();
  return {
    ...created,
    ...database,
    admin: { database, dataDirectory },
    leads: () => rows('leads'),
    rows,
    async insert(table, ...rows) {
      for (const row of rows) {
        const columns = sql.join(Object.keys(row).map((column) => sql.ref(column)));
        const values = sql.join(Object.values(row));
        await sql`insert into ${sql.table(table)} (${columns}) values (${values})`.execute(database.db);
      }
    },
    async update(table, values, where) {
      const changes = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
      const update = sql`update ${sql.table(table)} set ${sql.join(changes)} where ${matching(where)}`;
      await update.execute(database.db);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

function matching(values: object = {}): RawBuilder<unknown> {
  const conditions = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  return sql.join([sql`1 = 1`, ...conditions], sql` and `);
}

/** Result code of SQLite. */
const busy = 5;
const selectLeads = 'select id, message from leads order by id';

/**
 * Retries while another connection has the lock. SQLite's own waiting would block this process, and with it a service in it
 * that holds the lock.
 */
async function whenUnlocked<Result>(action: () => Result): Promise<Result> {
  const attempt = () => {
    try {
      return { result: action() };
    } catch (error) {
      if (resultCode(error) === busy) return undefined;
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
  async function connected<Result>(action: (database: DatabaseSync) => Result): Promise<Awaited<Result>> {
    const database = new DatabaseSync(join(directory, 'leads.sqlite'), { timeout: 0 });
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
      connected((database) =>
        whenUnlocked(() => database.prepare(selectLeads).all() as unknown as StoredLead[]),
      ),
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
    leads: () => withClient(url, async (client) => (await client.query<StoredLead>(selectLeads)).rows),
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
