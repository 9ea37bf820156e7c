import { loadavg } from 'node:os';
import { serverUrl } from '../config.ts';
import { createBenchDatabase } from './bench-database.ts';
import { loadServers, type LoadFigures } from './load-figures.ts';
import {
  startEchoServer,
  startHandWrittenService,
  startLeadService,
  type MeasuredServer,
} from './measured-server.ts';
import { hasPgbench, runPgbench, type PgbenchScript } from './pgbench.ts';

const connectionCounts = [1, 16, 64, 256] as const;
const seconds = 4;

/** Numbers of instances on one PostgreSQL. They share the connections of the load. */
const instanceCounts = [1, 2, 4] as const;

/**
 * `echo`: the most that HTTP can do here. `hand-written`: the same rows in a transaction per lead. `pgbench`: the most that a
 * database can do with one lead at a time.
 */
export type SeriesKind = 'echo' | 'service' | 'hand-written' | 'pgbench';

/** One thing that was measured. */
export interface LoadSeries {
  readonly name: string;
  readonly kind: SeriesKind;
  /** How many processes on one PostgreSQL shared the load, where that was varied. */
  readonly instances?: number;
  /** Figures by number of connections. Null: there is no room for so many. */
  readonly byConnections: Readonly<Record<number, LoadFigures | null>>;
}

export interface LeadLoad {
  /** Of the machine over the last minute, before anything was measured. */
  readonly loadAverage: number;
  readonly series: readonly LoadSeries[];
  /** What could not be measured, and why, as sentences. */
  readonly missing: readonly string[];
}

/** Leads per second beside what the machine does without the service: no store at all, and no service before the store. */
export async function measureLeadLoad(): Promise<LeadLoad> {
  const [loadAverage = 0] = loadavg();
  const series: LoadSeries[] = [
    ...(await loadedBy({ name: 'node:http echo, stores nothing', kind: 'echo' }, startEchoServer)),
    ...(await loadedBy({ name: 'lead service on SQLite', kind: 'service' }, startLeadService)),
  ];
  if (serverUrl === undefined) {
    return {
      loadAverage,
      series,
      missing: ['No PostgreSQL: set BENCH_DATABASE_URL to one that may be filled.'],
    };
  }
  await using database = await createBenchDatabase(serverUrl);
  for (const instances of instanceCounts) {
    const where = `on PostgreSQL${instances === 1 ? '' : `, ${instances} instances`}`;
    const { url } = database;
    series.push(
      ...(await loadedInTurn([
        [{ name: `lead service ${where}`, kind: 'service', instances }, () => startLeadService(url)],
        [
          { name: `hand-written ${where}`, kind: 'hand-written', instances },
          () => startHandWrittenService(url),
        ],
      ])),
    );
  }
  if (!hasPgbench()) {
    return { loadAverage, series, missing: ['No pgbench: install the client programs of PostgreSQL.'] };
  }
  for (const [name, script] of [
    ['pgbench, the row of the lead alone', 'lead-row'],
    ['pgbench, all rows of a lead', 'whole-lead'],
  ] as const) {
    series.push({ name, kind: 'pgbench', byConnections: await pgbenchSeries(database, script) });
  }
  const isFull = connectionCounts.some((connections) => connections > database.mostClients);
  return {
    loadAverage,
    series,
    missing: isFull ? [`"no room": max_connections of this PostgreSQL lets in too few clients.`] : [],
  };
}

/** What is measured, and how one instance of it starts. */
type Measured = readonly [series: Omit<LoadSeries, 'byConnections'>, start: () => Promise<MeasuredServer>];

async function loadedBy(...measured: Measured): Promise<readonly LoadSeries[]> {
  return loadedInTurn([measured], 1);
}

/**
 * Loads each of them for a while, several times in turn, and keeps the median of each: what else the machine does, or has
 * done, then changes all of them alike.
 */
async function loadedInTurn(all: readonly Measured[], rounds = 3): Promise<readonly LoadSeries[]> {
  await using started = new AsyncDisposableStack();
  const running = [];
  for (const [series, start] of all) {
    const ports: number[] = [];
    // One after the other: the first makes the tables.
    for (let index = 0; index < (series.instances ?? 1); index += 1) {
      ports.push(started.use(await start()).port);
    }
    // Code that has not run often yet is slower.
    await loadServers(ports, { connections: 64, seconds: 5 });
    running.push({ ports, series, byConnections: {} as Record<number, LoadFigures> });
  }
  for (const connections of connectionCounts) {
    const figures = running.map((): LoadFigures[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { ports }] of running.entries()) {
        figures[index]?.push(await loadServers(ports, { connections, seconds }));
      }
    }
    for (const [index, { byConnections }] of running.entries()) {
      const sorted = figures[index]?.toSorted((one, other) => one.perSecond - other.perSecond) ?? [];
      const median = sorted[Math.floor(sorted.length / 2)];
      if (median) byConnections[connections] = median;
    }
  }
  return running.map(({ series, byConnections }) => ({ ...series, byConnections }));
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
