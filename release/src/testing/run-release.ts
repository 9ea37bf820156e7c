import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { compileCache } from './config.ts';

/** How a call of the command ended. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** It did what it was asked, and said this. */
export const says = (stdout: string): Outcome => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });
/** It did nothing, and said why. */
export const refuses = (stderr: string): Outcome => ({ code: 1, stdout: '', stderr: `${stderr}\n` });
/** The call made no sense to it. */
export const misunderstands = (stderr: string): Outcome => ({ code: 2, stdout: '', stderr: `${stderr}\n` });

/** The file behind `npm run release`. */
export const releaseCommand = join(import.meta.dirname, '..', 'cli.ts');

/** The files that promote without a check, and that prune as if a month had passed. */
const promoteProgram = join(import.meta.dirname, 'promote.ts');
const pruneProgram = join(import.meta.dirname, 'prune.ts');

/** Flags with which a process is killed right after a step that changes a store, counted from 1. */
export function killedAtStep(step: number): readonly string[] {
  return ['--import', `${pathToFileURL(join(import.meta.dirname, 'kill-at-step.ts')).href}?${step}`];
}

/** Runs the command as a person would, with nothing but these variables. */
export function runRelease(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Outcome> {
  return run([releaseCommand, ...words], environment);
}

/** Publishes, promotes or prunes in a process of its own, without a check. `flags` are for Node itself. */
export function runUnchecked(
  [action, ...words]: readonly ['publish' | 'promote' | 'prune', ...string[]],
  environment: NodeJS.ProcessEnv,
  flags: readonly string[] = [],
): Promise<Outcome> {
  const programs = { promote: [promoteProgram], prune: [pruneProgram], publish: [releaseCommand, action] };
  return run([...flags, ...programs[action], ...words], environment);
}

async function run(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Outcome> {
  const env = { ...compileCache, ...environment };
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, stdout, stderr };
}
