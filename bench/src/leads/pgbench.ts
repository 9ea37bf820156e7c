import { execFile, spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { percentile } from '../platform/percentiles.ts';
import type { Load, LoadFigures } from './load-figures.ts';

const run = promisify(execFile);

/** Script of a pgbench client. It inserts the same rows as the load generator's leads. */
export type PgbenchScript = 'lead-row' | 'whole-lead';

export function hasPgbench(): boolean {
  return spawnSync('pgbench', ['--version']).status === 0;
}

/**
 * Runs a script with prepared statements, the fastest mode of pgbench. The lead service must have created the
 * tables. Null if no transaction was completed.
 */
export async function runPgbench(
  url: string,
  script: PgbenchScript,
  { connections, seconds }: Load,
): Promise<LoadFigures | null> {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'bench-pgbench-'));
  const args = ['-n', '-M', 'prepared', '-c', connections, '-j', 1, '-T', seconds, '-l'].map(String);
  const file = join(import.meta.dirname, `${script}.sql`);
  const { stdout } = await run('pgbench', [...args, '-f', file, url], { cwd: directory.path });
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  return perSecond > 0 ? { perSecond, ...latencies(directory.path), statuses: {} } : null;
}

/** Percentiles from pgbench's log. Columns: client, transaction, microseconds, … */
function latencies(directory: string): { p50: number; p99: number } {
  const milliseconds = readdirSync(directory)
    .flatMap((file) => readFileSync(join(directory, file), 'utf8').trim().split('\n'))
    .map((line) => Number(line.split(' ')[2]) / 1000);
  return { p50: percentile(milliseconds, 0.5), p99: percentile(milliseconds, 0.99) };
}
