import { loadavg } from 'node:os';
import { serverUrl } from '../platform/config.ts';
import { createBenchDatabase } from './bench-database.ts';
import { loadReport, type LeadLoad, type LoadSeries } from './lead-report.ts';
import { loadServer, type LoadFigures } from './load-figures.ts';
import {
  startEchoServer,
  startHandWrittenService,
  startLeadService,
  type MeasuredServer,
} from './measured-server.ts';

const connectionCounts = [1, 16, 64, 256] as const;
const seconds = 4;

/** Measures durably stored leads per second. */
export async function leadLoad(): Promise<{ figures: LeadLoad; report: string }> {
  const figures = await measureLeadLoad();
  return { figures, report: loadReport(figures) };
}

/** Measures leads per second, with an HTTP server without storage and a hand-written service as bounds. */
async function measureLeadLoad(): Promise<LeadLoad> {
  const [loadAverage = 0] = loadavg();
  const series = [
    ...(await measureInterleaved(
      [[{ name: 'node:http echo, stores nothing', kind: 'echo', where: 'nowhere' }, startEchoServer]],
      1,
    )),
    ...(await measurePair('SQLite')),
  ];
  if (serverUrl === undefined) {
    return {
      loadAverage,
      series,
      missing: ['No PostgreSQL: set BENCH_DATABASE_URL to one that may be filled.'],
    };
  }
  await using database = await createBenchDatabase(serverUrl);
  series.push(...(await measurePair('PostgreSQL', database.url)));
  return { loadAverage, series, missing: [] };
}

/** Measures the lead service and the hand-written one in turn. */
function measurePair(where: string, databaseUrl?: string): Promise<readonly LoadSeries[]> {
  return measureInterleaved(
    [
      [{ name: `lead service on ${where}`, kind: 'service', where }, () => startLeadService(databaseUrl)],
      [
        { name: `hand-written on ${where}`, kind: 'hand-written', where },
        () => startHandWrittenService(databaseUrl),
      ],
    ],
    3,
  );
}

/** A series and the function that starts its server. */
type SeriesSetup = readonly [series: Omit<LoadSeries, 'byConnections'>, start: () => Promise<MeasuredServer>];

/**
 * Measures all series in turn, in several rounds, and keeps the median of each, so that other load on the
 * machine affects all of them alike.
 */
async function measureInterleaved(
  all: readonly SeriesSetup[],
  rounds: number,
): Promise<readonly LoadSeries[]> {
  await using started = new AsyncDisposableStack();
  const running = [];
  for (const [series, start] of all) {
    const { port } = started.use(await start());
    // Warm-up, because the JIT compiler optimises frequently run code.
    await loadServer(port, { connections: 64, seconds: 5 });
    running.push({ port, series, byConnections: {} as Record<number, LoadFigures> });
  }
  for (const connections of connectionCounts) {
    const figures = running.map((): LoadFigures[] => []);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { port }] of running.entries()) {
        figures[index]?.push(await loadServer(port, { connections, seconds }));
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
