import { Client } from 'pg';

/** A temporary database, dropped on disposal. */
export interface BenchDatabase extends AsyncDisposable {
  readonly url: string;
}

export async function createBenchDatabase(serverUrl: string): Promise<BenchDatabase> {
  const name = `bench_leads_${process.pid}`;
  const url = new URL(serverUrl);
  url.pathname = name;
  await query(serverUrl, `create database ${name}`);
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => void (await query(serverUrl, `drop database ${name} with (force)`)),
  };
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}
