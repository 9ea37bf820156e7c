import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { browserEnvironment, compileCache } from './config.ts';
import { createTemporaryStore } from './temporary-store.ts';

/** Result of a command. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Outcome of a successful command. */
export const succeedsWith = (stdout: string): Outcome => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });
/** Outcome of a command that failed with an expected error. */
export const failsWith = (stderr: string): Outcome => ({ code: 1, stdout: '', stderr: `${stderr}\n` });

/** Program of `npm run release`. */
export const releaseCommand = join(import.meta.dirname, '..', 'cli.ts');

/** Node flags that kill a process after its n-th step that changes a store, starting at 1. */
export function killedAtStep(step: number): readonly string[] {
  return ['--import', `${pathToFileURL(join(import.meta.dirname, 'kill-at-step.ts')).href}?${step}`];
}

/** Runs the command with these environment variables only. `flags` are Node flags; `program` is another client. */
export async function runRelease(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  flags: readonly string[] = [],
  program = releaseCommand,
): Promise<Outcome> {
  const child = spawn(process.execPath, [...flags, program, ...words], {
    env: { ...compileCache, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  // Progress of steps that take long depends on the speed of the machine.
  const withoutSlowProgress = stderr.replace(/^(?:checking|compressing|making|opening|reading) .* …\n/gm, '');
  return { code: child.exitCode, stdout, stderr: withoutSlowProgress };
}

export type Releaser = Awaited<ReturnType<typeof createReleaser>>;

/** A directory store without versions, and the command with it. */
export async function createReleaser() {
  const site = await createTemporaryStore();
  return {
    ...site,
    run: (words: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
      runRelease(words, { ...site.environment, ...browserEnvironment, ...environment }),
  };
}
