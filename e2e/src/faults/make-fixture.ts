import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RemoteName } from '@countersign/contracts/remotes';
import { environmentWith } from '../config.ts';

/** Replacements in a build of the fixture that make it throw when it renders. */
export const fixtureThrows = { 'fault-of-the-fixture': 'throws on render' } as const;

/** The same, so that its code never comes to an end once it runs, in a page that says so. */
export const fixtureHangs = { 'fault-of-the-fixture': 'hangs where told' } as const;

/** Name of the global variable by which a page says so. */
export const hangsHere = 'fixtureHangsHere';

/** Builds the fixture as this remote, below `parent`, and returns the folder of the build. */
export async function makeFixture(
  remote: RemoteName,
  parent: string,
  ...options: readonly '--without-integrity'[]
): Promise<string> {
  const root = join(parent, ['fixture', ...options].join(''));
  const script = join(import.meta.dirname, 'build-fixture.ts');
  await promisify(execFile)(process.execPath, [script, remote, root, ...options], {
    env: environmentWith({}),
  });
  return join(root, 'dist');
}
