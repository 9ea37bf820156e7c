import { setInterval } from 'node:timers';
import { serverUrl } from '../platform/config.ts';
import { createBenchDatabase } from './bench-database.ts';
import { loadServer } from './load-figures.ts';
import { startLeadService } from './measured-server.ts';

const leads = 200_000;
const stepCount = 8;
const connections = 64;

/** Memory of the service during a long run. */
export interface SoakFigures {
  readonly name: string;
  readonly leads: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Resident set in megabytes after each step. */
  readonly memory: readonly number[];
  /** Peak of the resident set, in megabytes. */
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
  for (let step = 0; step < stepCount; step += 1) {
    const load = await loadServer(service.port, {
      connections,
      seconds: 300,
      maxRequests: leads / stepCount,
    });
    for (const [status, count] of Object.entries(load.statuses)) {
      statuses[status] = (statuses[status] ?? 0) + count;
    }
    memory.push(service.memory());
  }
  clearInterval(sampling);
  return { name, leads, statuses, memory, peak };
}
