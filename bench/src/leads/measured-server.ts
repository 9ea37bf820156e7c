import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../platform/child-programs.ts';

// Like a small container, because without a limit the garbage collector keeps garbage while memory is free. The
// young generation has the size from the service's Dockerfile.
const smallHeap = '--max-old-space-size=128 --max-semi-space-size=16';

/** A server in a child process, stopped on disposal. */
export interface MeasuredServer extends AsyncDisposable {
  readonly port: number;
}

/**
 * Starts the lead service with production settings, without deliveries and rate limits.
 *
 * @param databaseUrl URL of PostgreSQL; without one, leads are stored in SQLite
 */
export function startLeadService(databaseUrl?: string): Promise<MeasuredServer> {
  return start('lead-service/src/main.ts', leadServiceEnvironment(databaseUrl));
}

function leadServiceEnvironment(databaseUrl: string | undefined) {
  return {
    DATABASE_URL: databaseUrl,
    LEADS_SECRET: 'a secret that only the benchmark uses',
    LEADS_PORT: '0',
    METRICS_PORT: '0',
    DELIVERY: 'off',
    LEADS_PER_ADDRESS: '0',
    LOG_FORMAT: 'json',
    NODE_OPTIONS: smallHeap,
  };
}

/** Starts the hand-written service, on tables that the lead service has created. */
export async function startHandWrittenService(databaseUrl?: string): Promise<MeasuredServer> {
  const environment = { DATABASE_URL: databaseUrl, NODE_ENV: 'production', NODE_OPTIONS: smallHeap };
  return await start('bench/src/leads/hand-written-service.ts', environment, async (DATA_DIR) => {
    const creator = await startProgram(['lead-service/src/main.ts'], listening, {
      ...leadServiceEnvironment(databaseUrl),
      DATA_DIR,
    });
    await creator[Symbol.asyncDispose]();
  });
}

export function startEchoServer(): Promise<MeasuredServer> {
  return start('bench/src/leads/echo-server.ts', {});
}

const listening = /listening on http:\S+:(\d+)/;

async function start(
  entryPoint: string,
  environment: Readonly<Record<string, string | undefined>>,
  prepare: (dataDirectory: string) => Promise<void> = async () => undefined,
): Promise<MeasuredServer> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'bench-leads-'));
  await prepare(dataDirectory);
  const server = await startProgram([entryPoint], listening, {
    ...environment,
    DATA_DIR: dataDirectory,
  });
  return {
    port: Number(server.printed),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(dataDirectory, { recursive: true });
    },
  };
}
