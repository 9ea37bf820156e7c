import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { partNames } from '@countersign/contracts/remotes';
import { childEnvironment } from './config.ts';
import { ReleaseFault } from './release-fault.ts';

/** Folder of the whole project: where Turborepo and every part live. */
export const projectDirectory = join(import.meta.dirname, '..', '..');

/** Where a part's build lies. */
export function builtDirectoryOf(part: string): string {
  return join(projectDirectory, part, 'dist');
}

/** Builds the parts whose input changed since they were last built; the others come from Turborepo's cache. */
export async function buildParts(signal: AbortSignal): Promise<void> {
  const filters = partNames.map((part) => `--filter=${part}`);
  const turbo = spawn(
    join(projectDirectory, 'node_modules', '.bin', 'turbo'),
    ['run', 'build', ...filters, '--output-logs=errors-only', '--ui=stream', '--no-color'],
    {
      cwd: projectDirectory,
      signal,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: childEnvironment({ TURBO_TELEMETRY_DISABLED: '1' }),
    },
  );
  const [said] = await Promise.all([text(turbo.stdout), once(turbo, 'exit')]);
  if (turbo.exitCode !== 0) {
    console.error(said);
    throw new ReleaseFault('A part does not build. What it says stands above.');
  }
}
