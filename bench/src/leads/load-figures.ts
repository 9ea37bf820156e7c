import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Throughput and response times under load. */
export interface LoadFigures {
  readonly perSecond: number;
  /** Median of the response times, in milliseconds. */
  readonly p50: number;
  /** 99th percentile of the response times, in milliseconds. */
  readonly p99: number;
  /** Status → number of responses. */
  readonly statuses: Readonly<Record<string, number>>;
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
  /** Ends the load early after this number of requests. */
  readonly maxRequests?: number;
}

const run = promisify(execFile);

/** Runs the load generator against a server on this machine. */
export async function loadServer(
  port: number,
  { connections, seconds, maxRequests }: Load,
): Promise<LoadFigures> {
  const args = [port, connections, seconds, ...(maxRequests === undefined ? [] : [maxRequests])].map(String);
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'generate-load.ts'), ...args]);
  return JSON.parse(stdout) as LoadFigures;
}
