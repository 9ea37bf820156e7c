import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What a number of connections that always want more got out of something. */
export interface LoadFigures {
  readonly perSecond: number;
  /** Milliseconds that half of the answers took at most. */
  readonly p50: number;
  /** Milliseconds that 99 of 100 answers took at most. */
  readonly p99: number;
  /** How many answers had which status. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
  /** Ends earlier after that many requests. */
  readonly most?: number;
}

const run = promisify(execFile);

/** Loads servers on this machine from another process. They get the connections in turn. */
export async function loadServers(
  ports: readonly number[],
  { connections, seconds, most }: Load,
): Promise<LoadFigures> {
  const words = [ports.join(), connections, seconds, ...(most === undefined ? [] : [most])].map(String);
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'generate-load.ts'), ...words]);
  return JSON.parse(stdout) as LoadFigures;
}
