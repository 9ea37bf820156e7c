import { Client } from 'pg';
import { serverUrl } from '../platform/config.ts';

/** The databases that can be measured: PostgreSQL if there is a server that may be filled. */
export const databases =
  serverUrl === undefined ? (['SQLite'] as const) : (['SQLite', 'PostgreSQL'] as const);
type DatabaseName = (typeof databases)[number];

/** Calls back with the URL of a new database on the server, which is dropped afterwards, or without one for SQLite. */
export async function withDatabase<Result>(
  kind: DatabaseName,
  use: (url: string | undefined) => Promise<Result>,
): Promise<Result> {
  if (kind === 'SQLite' || serverUrl === undefined) return use(undefined);
  const name = `bench_leads_${process.pid}`;
  await query(serverUrl, `create database ${name}`);
  try {
    const url = new URL(serverUrl);
    url.pathname = name;
    return await use(url.href);
  } finally {
    await query(serverUrl, `drop database ${name} with (force)`);
  }
}

async function query(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
