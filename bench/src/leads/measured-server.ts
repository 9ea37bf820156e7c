import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { environmentWith } from '../config.ts';

const projectDirectory = join(import.meta.dirname, '../../..');

/** Megabytes that the lead service may use for objects that live longer. */
export const heapLimit = 128;

// As in a small container: left alone, the collector lets garbage lie while the machine has memory to spare. Room for new
// objects as the service's own Dockerfile has it.
const smallHeap = `--max-old-space-size=${heapLimit} --max-semi-space-size=16`;

/** A server in a process of its own. Disposing of it stops it. */
export interface MeasuredServer extends AsyncDisposable {
  readonly port: number;
  /** How much memory it holds, in megabytes: its resident set. */
  memory(): number;
}

/**
 * The lead service as its operator would run it, except that it sends nothing and lets one address send as much as it
 * likes.
 *
 * @param databaseUrl address of its PostgreSQL; without one it keeps leads in SQLite
 */
export function startLeadService(databaseUrl?: string): Promise<MeasuredServer> {
  return start('lead-service/src/main.ts', {
    DATABASE_URL: databaseUrl,
    LEADS_SECRET: 'a secret that only the benchmark uses',
    LEADS_PORT: '0',
    METRICS_PORT: '0',
    DELIVERY: 'off',
    LEADS_PER_ADDRESS: '0',
    LEADS_PER_NETWORK: '0',
    LOG_FORMAT: 'json',
    NODE_OPTIONS: smallHeap,
  });
}

/** The handler that a team would write by hand, on a PostgreSQL where the lead service has made the tables. */
export function startHandWrittenService(databaseUrl: string): Promise<MeasuredServer> {
  return start('bench/src/leads/hand-written-service.ts', {
    DATABASE_URL: databaseUrl,
    NODE_ENV: 'production',
    NODE_OPTIONS: smallHeap,
  });
}

export function startEchoServer(): Promise<MeasuredServer> {
  return start('bench/src/leads/echo-server.ts', {});
}

async function start(
  entryPoint: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<MeasuredServer> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'bench-leads-'));
  const server = spawn(process.execPath, [entryPoint], {
    cwd: projectDirectory,
    env: environmentWith({ ...environment, DATA_DIR: dataDirectory }),
    // Through the channel it learns that the benchmark has been broken off.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  return {
    port: await portOf(server),
    memory() {
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
      return Number(kilobytes) / 1024;
    },
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM');
      await once(server, 'exit');
      rmSync(dataDirectory, { recursive: true });
    },
  };
}

function portOf(server: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    if (!server.stdout) throw new TypeError('The server was spawned without an output pipe.');
    const { stdout } = server;
    const lines = createInterface(stdout).on('line', (line) => {
      const [, port] = /listening on http:\S+:(\d+)/.exec(line) ?? [];
      if (!port) return;
      lines.close();
      // Read on, and thrown away: looking at every line would take time from what is measured.
      stdout.resume();
      resolve(Number(port));
    });
    server.once('exit', () => reject(new Error('A server did not start. What it says stands above.')));
  });
}
