import { join } from 'node:path';
import { partNames } from '@countersign/contracts/remotes';
import { childEnvironment } from './config.ts';
import { ReleaseFault } from './release-fault.ts';
import { runUntilEnded } from './run-until-ended.ts';

/** Folder of the whole project: where Turborepo and every part live. */
export const projectDirectory = join(import.meta.dirname, '..', '..');

/** Where a part's build lies. */
export function builtDirectoryOf(part: string): string {
  return join(projectDirectory, part, 'dist');
}

/**
 * Builds the parts whose input changed since they were last built; the others come from Turborepo's cache. On abort
 * Turborepo ends the bundlers that it has started, and then itself, before the promise is rejected.
 */
export async function buildParts(signal: AbortSignal): Promise<void> {
  const filters = partNames.map((part) => `--filter=${part}`);
  const { exitCode, stdout } = await runUntilEnded(
    join(projectDirectory, 'node_modules', '.bin', 'turbo'),
    ['run', 'build', ...filters, '--output-logs=errors-only', '--ui=stream', '--no-color'],
    { cwd: projectDirectory, env: childEnvironment({ TURBO_TELEMETRY_DISABLED: '1' }) },
    signal,
  );
  if (exitCode !== 0) {
    console.error(stdout);
    throw new ReleaseFault('A part does not build. What it says stands above.');
  }
}
