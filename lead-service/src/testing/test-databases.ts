import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import type { DatabaseLocation } from '../database/database-access.ts';
import { connect } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import type { Tables } from '../database/tables.ts';
import { testDatabaseUrl } from './config.ts';
import { createMemoryLog } from './memory-log.ts';

/** A database for one test, with a connection of its own. It connects at the first query, so that a test can crash a service before. */
export type TestDatabase = ReturnType<typeof testDatabase>;

export interface DatabaseKind {
  readonly name: 'SQLite' | 'PostgreSQL';
  /** Options of each test on it: skipped, with the reason, where there is no such database. */
  readonly options: { readonly skip: string | false };
  /** An empty database. */
  create(): Promise<TestDatabase>;
  /** A database with the schema of the service. */
  open(): Promise<TestDatabase>;
}

/** PostgreSQL of `TEST_DATABASE_URL`. Without one, its tests are skipped. */
export const postgres: DatabaseKind = {
  name: 'PostgreSQL',
  options: { skip: testDatabaseUrl === undefined && 'TEST_DATABASE_URL is not set' },
  create: createPostgres,
  open: () => migrated(createPostgres),
};

export const sqlite: DatabaseKind = {
  name: 'SQLite',
  options: { skip: false },
  create: createSqlite,
  open: () => migrated(createSqlite),
};

/** The URL of a database in PostgreSQL. */
export function urlOf({ environment }: TestDatabase): URL {
  return new URL(environment['DATABASE_URL'] ?? '');
}

/** The databases for a suite. */
export const databaseKinds: readonly DatabaseKind[] = [sqlite, postgres];

type AddTest = (name: string, run: (database: TestDatabase) => Promise<void>) => void;

/** Adds a suite for each kind of database. Each of its tests gets a new one with the schema of the service. */
export function onEachDatabase(suite: string, addTests: (test: AddTest, kind: DatabaseKind) => void): void {
  for (const kind of databaseKinds) {
    const addTest: AddTest = (name, run) =>
      void test(name, async () => {
        await using database = await kind.open();
        await run(database);
      });
    describe(`${suite} on ${kind.name}`, kind.options, () => addTests(addTest, kind));
  }
}

async function migrated(create: () => Promise<TestDatabase>): Promise<TestDatabase> {
  const database = await create();
  await migrate(database);
  return database;
}

async function createSqlite(): Promise<TestDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'lead-service-'));
  return testDatabase({ kind: 'sqlite', directory, file: 'leads.sqlite' }, directory, {});
}

async function createPostgres(serverUrl = testDatabaseUrl): Promise<TestDatabase> {
  if (serverUrl === undefined) throw new Error('TEST_DATABASE_URL is not set.');
  // A database and not a schema, because introspection fails if another schema is dropped concurrently.
  const name = `lead_service_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(serverUrl);
  url.pathname = name;
  async function onServer(statement: string): Promise<void> {
    await using server = connect({ kind: 'postgres', url: serverUrl ?? '' }, createMemoryLog(), 'commands');
    await sql.raw(statement).execute(server.db);
  }
  await onServer(`create database ${name}`);
  const environment = {
    DATABASE_URL: url.href,
    LEADS_SECRET: 'a secret that only the tests of the service use',
  };
  const directory = mkdtempSync(join(tmpdir(), 'lead-service-'));
  return testDatabase({ kind: 'postgres', url: url.href }, directory, environment, () =>
    onServer(`drop database ${name} with (force)`),
  );
}

function testDatabase(
  location: DatabaseLocation,
  dataDirectory: string,
  environment: Readonly<Record<string, string>>,
  drop: () => Promise<void> = async () => undefined,
) {
  const database = connect(location, createMemoryLog());
  const { db } = database;
  /** The rows of a table with these values, ordered by id. */
  async function rows<Table extends keyof Tables>(table: Table, where: Partial<Tables[Table]> = {}) {
    const conditions = Object.entries(where).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
    const all = sql.join([sql`1 = 1`, ...conditions], sql` and `);
    const { rows } = await sql<Tables[Table]>`select * from ${sql.table(table)} where ${all}`.execute(db);
    const idOf = (row: object) => ('id' in row ? String(row.id) : '');
    return rows.sort((a, b) => Number(idOf(a) > idOf(b)) - Number(idOf(a) < idOf(b)));
  }
  return {
    ...{ ...database, location, rows },
    /** Data directory of a service on this database. */
    dataDirectory,
    /** For operations of sales. */
    admin: { database, dataDirectory, spool: undefined },
    /** Environment of a service process on this database. */
    environment: { DATA_DIR: dataDirectory, ...environment } as Readonly<Record<string, string>>,
    /** The stored leads, the oldest first. */
    leads: () => rows('leads'),
    leadIds: async () => (await rows('leads')).map(({ id }) => id),
    async execute(statement: string) {
      // To create a database takes longer than a request may, on a busy disk.
      await using patient = connect(location, createMemoryLog(), 'commands');
      await sql.raw(statement).execute(patient.db);
    },
    /** Blocks all other writers of leads while the action runs. */
    async whileLocked<Result>(action: () => Promise<Result>): Promise<Result> {
      await using other = connect(location, createMemoryLog(), 'commands');
      return await other.db.transaction().execute(async (transaction) => {
        // On SQLite, every transaction takes the write lock at its start.
        const isShared = location.kind === 'postgres';
        if (isShared) await sql`lock table leads in access exclusive mode`.execute(transaction);
        return await action();
      });
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await drop();
      rmSync(dataDirectory, { recursive: true });
    },
  };
}
