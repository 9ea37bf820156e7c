import { setInterval } from 'node:timers';
import { serverUrl } from '../config.ts';
import { createBenchDatabase } from './bench-database.ts';
import { loadServers } from './load-figures.ts';
import { startLeadService } from './measured-server.ts';

const leads = 200_000;
const parts = 8;
const connections = 64;

/** What the service weighed while very many leads went in. */
export interface SoakFigures {
  readonly name: string;
  readonly leads: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Megabytes of resident set after each part of the leads. */
  readonly memory: readonly number[];
  /** The most that was seen at any time, in megabytes. */
  readonly peak: number;
}

export async function measureMemory(): Promise<readonly SoakFigures[]> {
  const onSqlite = await soak('SQLite');
  if (serverUrl === undefined) return [onSqlite];
  await using database = await createBenchDatabase(serverUrl);
  return [onSqlite, await soak('PostgreSQL', database.url)];
}

async function soak(name: string, databaseUrl?: string): Promise<SoakFigures> {
  await using service = await startLeadService(databaseUrl);
  let peak = 0;
  const sampling = setInterval(() => (peak = Math.max(peak, service.memory())), 100);
  const memory = [service.memory()];
  const statuses: Record<string, number> = {};
  for (let part = 0; part < parts; part += 1) {
    const load = await loadServers([service.port], { connections, seconds: 300, most: leads / parts });
    for (const [status, count] of Object.entries(load.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + count;
    }
    memory.push(service.memory());
  }
  clearInterval(sampling);
  return { name, leads, statuses, memory, peak };
}
