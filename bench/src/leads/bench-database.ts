import { Client } from 'pg';

/** A temporary database, dropped on disposal. */
export interface BenchDatabase extends AsyncDisposable {
  readonly url: string;
  /** Number of free connections. */
  readonly maxClients: number;
}

export async function createBenchDatabase(serverUrl: string): Promise<BenchDatabase> {
  const name = `bench_leads_${process.pid}`;
  const url = new URL(serverUrl);
  url.pathname = name;
  const [server] = await query(
    serverUrl,
    `select current_setting('max_connections')::int - count(*)::int as free from pg_stat_activity`,
  );
  await query(serverUrl, `create database ${name}`);
  return {
    url: url.href,
    // A reserve, because PostgreSQL reserves connections for superusers and other programs use the server too.
    maxClients: Number(server?.['free'] ?? 0) - 10,
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
