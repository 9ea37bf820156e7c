import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RemoteName } from '@countersign/contracts/remotes';

/** Words to replace in a build of the fixture, so that it throws as soon as it is shown. */
export const fixtureThrows = { 'fault-of-the-fixture': 'throws on render' } as const;

/** Builds the fixture as this remote, below `parent`, and returns the folder of the build. */
export async function makeFixture(remote: RemoteName, parent: string): Promise<string> {
  const root = join(parent, 'fixture');
  const script = join(import.meta.dirname, 'build-fixture.ts');
  await promisify(execFile)(process.execPath, [script, remote, root]);
  return join(root, 'dist');
}
