import { createWriteStream } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { runProgram, startProgram } from '../platform/child-programs.ts';
import { databases, withDatabase } from './with-database.ts';

const counts = [10_000, 100_000, 1_000_000] as const;
/** A small container's. What holds all leads in memory ends with an error. */
const heap = '--max-old-space-size=96';
const year = 365 * 24 * 60 * 60_000;
/** How often a page of the inbox is opened, of which the fastest counts. */
const views = 5;

/** Measures what operators do with many leads. Returns a report. */
export async function manyLeads(): Promise<string> {
  const start = await secondsOf(() => runProgram(['lead-service/src/cli/main.ts', '--help'], {}));
  const report = [
    `Milliseconds per thousand leads, with the start of a program (${start.toFixed(1)} s), and per page; ${heap}`,
  ];
  for (const database of databases) {
    const columns: Map<string, number>[] = [];
    for (const count of counts) {
      console.error(`many-leads: ${database}, ${count} leads:`);
      columns.push(await withDatabase(database, (url) => measure(count, url)));
    }
    const row = (label: string, texts: readonly string[]) =>
      report.push(label.padEnd(28) + texts.map((text) => text.padStart(12)).join(''));
    row(database, counts.map(String));
    for (const label of columns[0]?.keys() ?? [])
      row(
        label,
        columns.map((column) => (column.get(label) ?? Number.NaN).toFixed(1)),
      );
  }
  return report.join('\n');
}

/** Restores leads, half of them older than retention permits and a tenth of one person, and works with them. */
async function measure(count: number, databaseUrl: string | undefined): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  // At once, because all of them take long.
  const note = (label: string, milliseconds: number) => {
    found.set(label, milliseconds);
    console.error(`  ${label}: ${milliseconds.toFixed(1)} ms`);
  };
  await using folder = await mkdtempDisposable(join(tmpdir(), 'bench-leads-'));
  const environment = {
    ...{ DATABASE_URL: databaseUrl, DATA_DIR: folder.path, NODE_ENV: 'production', NODE_OPTIONS: heap },
    ...{ LEADS_SECRET: 'a secret that only the benchmark uses', DELIVERY: 'off' },
    ...{ LEADS_PORT: '0', METRICS_PORT: '0', ADMIN_PORT: '0', RETENTION_DAYS: '730' },
  };
  const run = (...command: string[]) => runProgram(['lead-service/src/cli/main.ts', ...command], environment);
  const backup = join(folder.path, 'backup.jsonl');
  await pipeline(leadLines(count), createWriteStream(backup));
  const created = JSON.parse(await run('token', 'bench', '--json')) as { token: string; setting: string };
  const step = async (label: string, leads: number, ...command: string[]) => {
    note(label, ((await secondsOf(() => run(...command))) * 1e6) / leads);
  };
  await step('restore (import)', count, 'import', backup);
  await step('backup', count, 'backup', join(folder.path, 'second.jsonl'));
  {
    await using service = await startProgram(
      ['lead-service/src/main.ts'],
      /inbox on (http:\S+\/admin)/,
      // Retention is measured below.
      { ...environment, ADMIN_TOKENS: created.setting, RETENTION_DAYS: '0' },
    );
    const open = await logIn(service.printed, created.token);
    const middle = idOf(count / 2);
    note('first page of the inbox', await open('/inbox'));
    note('page in the middle', await open(`/inbox?after=${middle}`));
    note('search that finds nothing', await open('/inbox/search', { text: 'Charles Babbage' }));
  }
  await step('retention, of half of them', count / 2, 'retention', '--yes');
  await step('erasure, of a tenth', count / 20, 'erase', 'grace@example.com', '--yes');
  return found;
}

async function secondsOf(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return (performance.now() - begin) / 1000;
}

/** Logs in to the inbox. Returns a function that opens a page several times, and returns the least milliseconds. */
async function logIn(address: string, token: string) {
  const { origin } = new URL(address);
  const send = async (path: string, fields?: Record<string, string>, cookie = '') => {
    const body = fields && { method: 'POST', body: new URLSearchParams(fields) };
    const headers = { origin, cookie, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(address + path, { ...body, headers, redirect: 'manual' });
    if (!answer.ok && answer.status !== 303) throw new Error(`${path} is answered with ${answer.status}.`);
    await answer.text();
    return answer.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  };
  const cookie = (await send('/login', { token })).join('; ');
  return async (path: string, fields?: Record<string, string>) => {
    const times: number[] = [];
    for (let view = 0; view < views; view += 1) times.push(await secondsOf(() => send(path, fields, cookie)));
    return Math.min(...times) * 1000;
  };
}

/** The ids of the service increase with time, too. */
const idOf = (index: number) => `01900000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;

function* leadLines(count: number): Generator<string> {
  for (let index = 0; index < count; index += 1) {
    const isOld = index < count / 2;
    const lead = {
      ...{ id: idOf(index), type: 'contact', name: 'Ada Lovelace', company: 'Analytical Engines' },
      email: index % 10 === 0 ? 'grace@example.com' : `ada.${index}@example.com`,
      message: `Please show me how templates work. This is request ${index}.`,
      receivedAt: new Date(Date.now() - (isOld ? 3 * year : year)).toISOString(),
      attribution: { page: '/?utm_source=letter', utmSource: 'letter' },
      ...{ releaseId: null, spamScore: 0, spamReasons: [], quarantinedAt: null, pendingDeliveries: 0 },
    };
    yield `${JSON.stringify(lead)}\n`;
  }
}
