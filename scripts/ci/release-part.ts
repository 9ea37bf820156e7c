/**
 * Publishes a built part (default folder: `<part>/dist`), and makes it live in stages while visitors' reports are good:
 * `node scripts/ci/release-part.ts <part> [folder]`. The workflow `release-part.yml` runs it with the token of a release server. A
 * program that it starts could read the token, so it runs no code of the part and no program of a package. If the version is live
 * already, it changes nothing. It can be repeated after it was interrupted.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readArguments } from '@countersign/contracts/arguments';
import { readConfig } from './config.ts';
import { liveVersionIn, releaseSteps } from './release-steps.ts';

const root = join(import.meta.dirname, '..', '..');
const { positionals } = readArguments('node scripts/ci/release-part.ts <part> [folder]', [1, 2]);
const [part = '', ...folder] = positionals;

function run(file: string, args: readonly string[], stdout: 'inherit' | 'pipe'): string {
  const stdio = ['ignore', stdout, 'inherit'] as const;
  return (
    execFileSync(file, args, { cwd: root, env: readConfig(), encoding: 'utf8', stdio: [...stdio] }) ?? ''
  );
}

function release(...args: readonly string[]): unknown {
  return JSON.parse(run(process.execPath, ['release/src/cli.ts', ...args, '--json'], 'pipe'));
}

/** Whether a commit is later than the one that is checked out, because runs of the workflow may overtake each other. */
function isLater(commit: string): boolean {
  const here = run('git', ['rev-parse', 'HEAD'], 'pipe').trim();
  if (commit === here) return false;
  return spawnSync('git', ['merge-base', '--is-ancestor', here, commit], { cwd: root }).status === 0;
}

try {
  const { version } = release('publish', part, ...folder) as { version: string };
  const live = liveVersionIn(release('status'), part);
  const steps = releaseSteps(part, version, live.version);
  if (steps.length === 0) console.log(`${part} ${version} is live already.`);
  else if (live.commit !== undefined && isLater(live.commit))
    console.log(`${part} ${live.version} is live already, from a later commit.`);
  else for (const args of steps) run(process.execPath, ['release/src/cli.ts', ...args], 'inherit');
} catch (error) {
  // With a status, it is the error of a command, which has printed its own message.
  if (!(error instanceof Error && 'status' in error))
    console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
