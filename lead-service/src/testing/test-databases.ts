import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import type { DatabaseLocation } from '../store/database-access.ts';
import { testDatabaseUrl } from './config.ts';

/** Columns of the table `leads`, as they are in the database. */
export interface LeadRow {
  id: string;
  type: string;
  name: string;
  email: string;
  company: string | null;
  message: string;
  received_at: string;
}

/** A database of one test's own, looked at and disturbed from outside, through a connection of the test's own. */
export interface TestDatabase extends AsyncDisposable {
  readonly location: DatabaseLocation;
  /** Folder of a service that uses it. */
  readonly dataDirectory: string;
  /** What makes a service process use it. */
  readonly environment: Readonly<Record<string, string>>;
  leads(): Promise<LeadRow[]>;
  execute(statement: string): Promise<void>;
  /** Keeps everybody else from writing leads while the action runs. */
  whileLocked<Result>(action: () => Promise<Result>): Promise<Result>;
}

export interface DatabaseKind {
  readonly name: string;
  create(): Promise<TestDatabase>;
}

/** The databases to run a suite on: SQLite always, PostgreSQL when the environment names one. */
export const databaseKinds: readonly DatabaseKind[] = [
  { name: 'SQLite', create: createSqlite },
  ...(testDatabaseUrl ? [postgresAt(testDatabaseUrl)] : []),
];

const selectLeads = 'select * from leads order by id';

/** A database in a data directory of its own. */
export async function createSqlite(): Promise<TestDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'lead-service-'));
  async function connected<Result>(
    action: (database: Database.Database) => Result,
  ): Promise<Awaited<Result>> {
    const database = new Database(join(directory, 'leads.sqlite'));
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
    leads: () => connected((database) => database.prepare<[], LeadRow>(selectLeads).all()),
    execute: (statement) => connected((database) => void database.exec(statement)),
    whileLocked: (action) =>
      connected((database) => {
        database.exec('begin immediate');
        return action();
      }),
    async [Symbol.asyncDispose]() {
      rmSync(directory, { recursive: true });
    },
  };
}

function postgresAt(serverUrl: string): DatabaseKind {
  return { name: 'PostgreSQL', create: () => createPostgres(serverUrl) };
}

async function createPostgres(serverUrl: string): Promise<TestDatabase> {
  // Not a schema: a look at the tables fails when a schema beside it is dropped at that moment.
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
