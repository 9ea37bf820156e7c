import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** How a call of the command ended. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The file behind `npm run release`. */
export const releaseCommand = join(import.meta.dirname, '..', 'cli.ts');

/** Runs the command as a person would, with nothing but these variables. `flags` are for Node itself. */
export async function runRelease(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  flags: readonly string[] = [],
): Promise<Outcome> {
  const child = spawn(process.execPath, [...flags, releaseCommand, ...words], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}
