import { loadavg } from 'node:os';
import { serverUrl } from '../platform/config.ts';
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

/** Numbers of instances on one PostgreSQL. The connections are distributed over them. */
const instanceCounts = [1, 2, 4] as const;

/**
 * `echo`: upper bound of HTTP on this machine. `hand-written`: the same rows in a transaction per lead.
 * `pgbench`: upper bound of PostgreSQL with one lead per transaction.
 */
export type SeriesKind = 'echo' | 'service' | 'hand-written' | 'pgbench';

/** Figures of one measured server. */
export interface LoadSeries {
  readonly name: string;
  readonly kind: SeriesKind;
  /** Number of processes on one PostgreSQL, if it was varied. */
  readonly instances?: number;
  /** Figures by number of connections. Null if PostgreSQL accepts fewer connections. */
  readonly byConnections: Readonly<Record<number, LoadFigures | null>>;
}

export interface LeadLoad {
  /** Load average of the machine over the last minute before the measurement. */
  readonly loadAverage: number;
  readonly series: readonly LoadSeries[];
  /** Messages about series that could not be measured. */
  readonly missing: readonly string[];
}

/** Measures leads per second, with an HTTP server without storage and a database without service as bounds. */
export async function measureLeadLoad(): Promise<LeadLoad> {
  const [loadAverage = 0] = loadavg();
  const series: LoadSeries[] = [
    ...(await measureOne({ name: 'node:http echo, stores nothing', kind: 'echo' }, startEchoServer)),
    ...(await measureOne({ name: 'lead service on SQLite', kind: 'service' }, startLeadService)),
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
      ...(await measureInterleaved([
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
  // The report prints "no room" where figures are missing.
  const isFull = connectionCounts.some((connections) => connections > database.maxClients);
  return {
    loadAverage,
    series,
    missing: isFull ? [`"no room": max_connections of this PostgreSQL lets in too few clients.`] : [],
  };
}

/** A series and the function that starts one instance. */
type SeriesSetup = readonly [series: Omit<LoadSeries, 'byConnections'>, start: () => Promise<MeasuredServer>];

async function measureOne(...measured: SeriesSetup): Promise<readonly LoadSeries[]> {
  return measureInterleaved([measured], 1);
}

/**
 * Measures all series in turn, in several rounds, and keeps the median of each, so that other load on the
 * machine affects all of them alike.
 */
async function measureInterleaved(all: readonly SeriesSetup[], rounds = 3): Promise<readonly LoadSeries[]> {
  await using started = new AsyncDisposableStack();
  const running = [];
  for (const [series, start] of all) {
    const ports: number[] = [];
    // Sequential, because the first instance creates the tables.
    for (let index = 0; index < (series.instances ?? 1); index += 1) {
      ports.push(started.use(await start()).port);
    }
    // Warm-up, because the JIT compiler optimises frequently run code.
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
  { url, maxClients }: { readonly url: string; readonly maxClients: number },
  script: PgbenchScript,
): Promise<Record<number, LoadFigures | null>> {
  const byConnections: Record<number, LoadFigures | null> = {};
  for (const connections of connectionCounts) {
    byConnections[connections] =
      connections > maxClients ? null : await runPgbench(url, script, { connections, seconds });
  }
  return byConnections;
}
