import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { partNames, type PartName } from '@countersign/contracts/remotes';
import { childEnvironment } from '../platform/child-environment.ts';
import { ReleaseError } from '../platform/release-error.ts';

/** Root folder of the repository. */
export const projectFolder = join(import.meta.dirname, '..', '..', '..');

/** The parts whose sources are in this repository. Teams build the others in repositories of their own. */
export function localParts(): readonly PartName[] {
  return partNames.filter((part) => existsSync(join(projectFolder, part, 'package.json')));
}

export function buildFolderOf(part: string): string {
  return join(projectFolder, part, 'dist');
}

/**
 * Builds those parts whose input has changed; Turborepo's cache provides the others. On abort, Turborepo terminates its
 * bundlers and exits before the promise rejects.
 */
export async function buildParts(signal: AbortSignal, parts = localParts()): Promise<void> {
  const filters = parts.map((part) => `--filter=${part}`);
  const turbo = spawn(
    join(projectFolder, 'node_modules', '.bin', 'turbo'),
    ['run', 'build', ...filters, '--output-logs=errors-only', '--ui=stream', '--no-color'],
    {
      cwd: projectFolder,
      env: childEnvironment({ TURBO_TELEMETRY_DISABLED: '1' }),
      stdio: ['ignore', 'pipe', 'inherit'],
      signal,
    },
  );
  // An abort throws below, and a failed start closes with an exit code.
  turbo.on('error', () => undefined);
  const closed = new Promise<number | null>((resolve) => turbo.on('close', resolve));
  const [stdout, exitCode] = await Promise.all([text(turbo.stdout), closed]);
  signal.throwIfAborted();
  if (exitCode !== 0) {
    console.error(stdout);
    throw new ReleaseError('The build of a part failed. Correct the errors above.');
  }
}
