import { serverUrl } from '../config.ts';
import { createBenchDatabase } from './bench-database.ts';
import { loadServer, type LoadFigures } from './load-figures.ts';
import { startEchoServer, startLeadService, type MeasuredServer } from './measured-server.ts';
import { hasPgbench, runPgbench, type PgbenchScript } from './pgbench.ts';

const connectionCounts = [1, 16, 64, 256] as const;
const seconds = 5;

/** `echo`: the most that HTTP can do here. `pgbench`: the most that a database can do with one lead at a time. */
export type SeriesKind = 'echo' | 'service' | 'pgbench';

/** One thing that was measured. */
export interface LoadSeries {
  readonly name: string;
  readonly kind: SeriesKind;
  /** Figures by number of connections. Null: there is no room for so many. */
  readonly byConnections: Readonly<Record<number, LoadFigures | null>>;
}

export interface LeadLoad {
  readonly series: readonly LoadSeries[];
  /** What could not be measured, and why, as sentences. */
  readonly missing: readonly string[];
}

/** Leads per second beside what the machine does without the service: no store at all, and no service before the store. */
export async function measureLeadLoad(): Promise<LeadLoad> {
  const series: LoadSeries[] = [
    await loadedBy('node:http echo, stores nothing', 'echo', startEchoServer()),
    await loadedBy('lead service on SQLite', 'service', startLeadService()),
  ];
  if (serverUrl === undefined) {
    return { series, missing: ['No PostgreSQL: set BENCH_DATABASE_URL to one that may be filled.'] };
  }
  await using database = await createBenchDatabase(serverUrl);
  series.push(await loadedBy('lead service on PostgreSQL', 'service', startLeadService(database.url)));
  if (!hasPgbench()) {
    return { series, missing: ['No pgbench: install the client programs of PostgreSQL.'] };
  }
  for (const [name, script] of [
    ['pgbench, the row of the lead alone', 'lead-row'],
    ['pgbench, all rows of a lead', 'whole-lead'],
  ] as const) {
    series.push({ name, kind: 'pgbench', byConnections: await pgbenchSeries(database, script) });
  }
  const isFull = connectionCounts.some((connections) => connections > database.mostClients);
  return {
    series,
    missing: isFull ? [`"no room": max_connections of this PostgreSQL lets in too few clients.`] : [],
  };
}

async function loadedBy(
  name: string,
  kind: SeriesKind,
  starting: Promise<MeasuredServer>,
): Promise<LoadSeries> {
  await using server = await starting;
  // Code that has not run often yet is slower.
  await loadServer(server.port, { connections: 64, seconds: 5 });
  const byConnections: Record<number, LoadFigures> = {};
  for (const connections of connectionCounts) {
    byConnections[connections] = await loadServer(server.port, { connections, seconds });
  }
  return { name, kind, byConnections };
}

async function pgbenchSeries(
  { url, mostClients }: { readonly url: string; readonly mostClients: number },
  script: PgbenchScript,
): Promise<Record<number, LoadFigures | null>> {
  const byConnections: Record<number, LoadFigures | null> = {};
  for (const connections of connectionCounts) {
    byConnections[connections] =
      connections > mostClients ? null : await runPgbench(url, script, { connections, seconds });
  }
  return byConnections;
}
