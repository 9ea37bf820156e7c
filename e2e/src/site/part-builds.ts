import { copyFile, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { RemoteName } from '@countersign/contracts/remotes';
import { run } from './running-site.ts';

/** Replacements in a build of the fixture that make it throw when it renders. */
export const fixtureThrows = { 'fault-of-the-fixture': 'throws on render' } as const;

/** Replacements that make it throw after it is shown. */
export const fixtureThrowsInEffect = { 'fault-of-the-fixture': 'throws in an effect' } as const;

/** Replacements that make it render another text east of Greenwich. */
export const fixtureDependsOnTime = { 'fault-of-the-fixture': 'depends on the time zone' } as const;

/** Replacements that make each of its clicks take a third of a second. */
export const fixtureIsSlow = { 'fault-of-the-fixture': 'is slow' } as const;

/** Replacements that make it send a request that the policy of the page refuses. */
export const fixtureViolatesPolicy = { 'fault-of-the-fixture': 'violates the policy' } as const;

/** Replacements that make its code loop forever in a page that sets {@link fixtureHangsGlobal}. */
export const fixtureHangs = { 'fault-of-the-fixture': 'hangs on demand' } as const;

/** Global variable of a page in which the fixture hangs. */
export const fixtureHangsGlobal = 'fixtureHangsHere';

/** Builds the fixture as each of these remotes, below `parent`. Returns the folders of the builds. */
export async function makeFixtures<Name extends RemoteName>(
  remotes: readonly Name[],
  parent: string,
  { withIntegrity = true } = {},
): Promise<Readonly<Record<Name, string>>> {
  const directory = await mkdtemp(join(parent, 'fixtures-'));
  const options = withIntegrity ? [] : ['--without-integrity'];
  const script = join(import.meta.dirname, 'build-fixture.ts');
  await run(process.execPath, [script, directory, ...options, ...remotes]);
  const folders = remotes.map((remote) => [remote, join(directory, remote, 'dist')] as const);
  return Object.fromEntries(folders) as Record<Name, string>;
}

/** Variables that a page sets if it runs or applies a file with the modified byte. The unmodified mark does nothing. */
const marks: Readonly<Record<string, string>> = {
  '.js': '\n;globalThis.tampered|=0;',
  '.css': '\n:root{--tampered:0}',
};

/** Modifies a byte of a marked file, so that the test can detect whether a page runs the file. */
export function changeOneByte(content: string): string {
  return content
    .replace('globalThis.tampered|=0', 'globalThis.tampered|=1')
    .replace('--tampered:0', '--tampered:1');
}

/** The name of a build as webpack writes it in names of variables. */
function identifier(name: string): string {
  return name.replace(/[^a-zA-Z0-9$]+/g, '_');
}

/**
 * Copies a build into a new folder below `parent`, as another version of the same part, with some texts replaced and a
 * mark at the end of every script and stylesheet. It is published with the right hashes, as a team would publish it. Throws
 * an error if the build lacks one of the texts.
 */
export async function restamp(
  built: string,
  parent: string,
  version: string,
  replacements: Readonly<Record<string, string>> = {},
): Promise<string> {
  const manifest = JSON.parse(await readFile(join(built, 'part.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const before = `${manifest.name}@${manifest.version}`;
  const after = `${manifest.name}@${version}`;
  const replaced = { ...replacements, [before]: after, [identifier(before)]: identifier(after) };
  const missing = new Set(Object.keys(replacements));
  const copy = await mkdtemp(join(parent, 'restamped-'));
  for (const entry of await readdir(built, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const name = relative(built, join(entry.parentPath, entry.name));
    await mkdir(dirname(join(copy, name)), { recursive: true });
    const [suffix = ''] = /\.(js|css|json|html)$/.exec(name) ?? [];
    if (suffix === '') {
      await copyFile(join(built, name), join(copy, name));
      continue;
    }
    let text = await readFile(join(built, name), 'utf8');
    for (const [from, to] of Object.entries(replaced)) {
      if (text.includes(from)) missing.delete(from);
      text = text.replaceAll(from, to);
    }
    if (name === 'part.json') text = JSON.stringify({ ...JSON.parse(text), version });
    await writeFile(join(copy, name), text + (marks[suffix] ?? ''));
  }
  if (missing.size > 0)
    throw new Error(`The build ${before} does not contain ${[...missing].join(' and ')}.`);
  return copy;
}
