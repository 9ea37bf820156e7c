import { randomUUID } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { startProgram } from '../platform/child-programs.ts';
import { serverUrl } from '../platform/config.ts';
import { databases, withDatabase } from './with-database.ts';

const connectionCounts = [1, 16, 64, 256] as const;
const secondsPerMeasurement = 4;
/** Number of measurements of which each figure is the median. */
const rounds = 3;

/** Measures durably stored leads per second, compared with a hand-written service. Returns a report. */
export async function leadLoad(): Promise<string> {
  const [load = 0] = loadavg();
  const head = `Durable leads per second (p50 / p99 in ms) by connections; ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'} for everything, load ${load.toFixed(1)} before`;
  const tables: string[] = [];
  for (const database of databases)
    tables.push(await withDatabase(database, (url) => measureOn(database, url)));
  if (serverUrl === undefined)
    tables.push('No PostgreSQL: set BENCH_DATABASE_URL to one that may be filled.');
  return [head, ...tables].join('\n');
}

/** Measures both services in turn, so that other load on the machine affects them alike. Returns three rows of the report. */
async function measureOn(database: string, databaseUrl?: string): Promise<string> {
  await using started = new AsyncDisposableStack();
  const environment = {
    DATABASE_URL: databaseUrl,
    NODE_ENV: 'production',
    // Like a small container, because without a limit the garbage collector keeps garbage while memory is free. The young
    // generation has the size from the service's Dockerfile.
    NODE_OPTIONS: '--max-old-space-size=128 --max-semi-space-size=16',
    LEADS_SECRET: 'a secret that only the benchmark uses',
    LEADS_PORT: '0',
    METRICS_PORT: '0',
    DELIVERY: 'off',
    // All leads come from one address. It has a quota, because counting takes time.
    LEADS_PER_ADDRESS: '1000000',
  };
  const start = (program: string, folder: string) =>
    startProgram([program], /listening on http:\S+:(\d+)/, { ...environment, DATA_DIR: folder });
  const ports: string[] = [];
  for (const program of ['lead-service/src/main.ts', 'bench/src/leads/hand-written-service.ts']) {
    const folder = started.use(await mkdtempDisposable(join(tmpdir(), 'bench-leads-')));
    // Creates the tables, which the hand-written service needs.
    await (await start('lead-service/src/main.ts', folder.path))[Symbol.asyncDispose]();
    const { printed } = started.use(await start(program, folder.path));
    ports.push(printed);
    // Warm-up, because the JIT compiler optimises frequently run code.
    await sendLeads(printed, 64);
  }
  const columns: string[][] = [];
  for (const connections of connectionCounts) {
    const measured: autocannon.Result[][] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, port] of ports.entries()) measured[index]?.push(await sendLeads(port, connections));
    }
    const medians = measured.map(median);
    const figures = medians.map(({ perSecond, p50, p99 }) => `${Math.round(perSecond)} (${p50} / ${p99})`);
    const [ours = Number.NaN, theirs = Number.NaN] = medians.map(({ perSecond }) => perSecond);
    columns.push([String(connections), ...figures, (ours / theirs).toFixed(2)]);
  }
  const labels = [database, 'lead service', 'hand-written service', 'ratio'];
  const rows = labels.map((label, row) => [
    label.padEnd(28),
    ...columns.map((column) => column[row]?.padStart(22)),
  ]);
  return rows.map((cells) => cells.join('')).join('\n');
}

function median(results: readonly autocannon.Result[]) {
  const sorted = results
    .map(({ requests, duration, latency }) => ({ perSecond: requests.total / duration, ...latency }))
    .toSorted((one, other) => one.perSecond - other.perSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('Nothing was measured.');
  return middle;
}

/** Sends leads, no two of them equal, over keep-alive connections, one at a time each. */
async function sendLeads(port: string, connections: number): Promise<autocannon.Result> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: secondsPerMeasurement,
    requests: [{ method: 'POST', path: '/api/contact', setupRequest: withLead }],
  });
  // Answers that store nothing are faster, and distort the figures.
  if (result.non2xx > 0) throw new Error(`${result.non2xx} leads were not stored.`);
  return result;
}

function withLead(request: autocannon.Request): autocannon.Request {
  const id = randomUUID();
  const lead = {
    name: 'Ada Lovelace',
    email: `ada.${id}@example.com`,
    company: 'Analytical Engines',
    message: `Please show me how templates work. This is request ${id}.`,
    submissionType: 'contact',
    attribution: { page: '/?utm_source=letter', utmSource: 'letter', releaseId: '2026-11-21-1' },
  };
  const headers = { 'content-type': 'application/json', 'idempotency-key': `"${id}"` };
  return { ...request, headers, body: JSON.stringify(lead) };
}
