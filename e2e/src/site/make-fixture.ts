import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { RemoteName } from '@countersign/contracts/remotes';
import { environmentWith } from '../config.ts';

/** Replacements in a build of the fixture that make it throw when it renders. */
export const fixtureThrows = { 'fault-of-the-fixture': 'throws on render' } as const;

/** Replacements that make it throw after it is shown. */
export const fixtureThrowsInEffect = { 'fault-of-the-fixture': 'throws in an effect' } as const;

/** Replacements that make it render another text east of Greenwich. */
export const fixtureDependsOnTime = { 'fault-of-the-fixture': 'depends on the time zone' } as const;

/** Replacements that make its code run for ever, in a page that sets {@link hangsHere}. */
export const fixtureHangs = { 'fault-of-the-fixture': 'hangs where told' } as const;

/** Name of the global variable by which a page says so. */
export const hangsHere = 'fixtureHangsHere';

interface FixtureOptions {
  /** Set to `false`, the build has no hashes of its files. */
  readonly integrity?: false;
}

/** Builds the fixture as each of these remotes, below `parent`. Returns the folders of the builds. */
export async function makeFixtures<Name extends RemoteName>(
  remotes: readonly Name[],
  parent: string,
  { integrity }: FixtureOptions = {},
): Promise<Readonly<Record<Name, string>>> {
  const directory = await mkdtemp(join(parent, 'fixtures-'));
  const script = join(import.meta.dirname, 'build-fixture.ts');
  const options = integrity === false ? ['--without-integrity'] : [];
  await promisify(execFile)(process.execPath, [script, directory, ...options, ...remotes], {
    env: environmentWith({}),
  });
  const folders = remotes.map((remote) => [remote, join(directory, remote, 'dist')] as const);
  return Object.fromEntries(folders) as Record<Name, string>;
}
