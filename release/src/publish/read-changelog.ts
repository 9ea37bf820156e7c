import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import type { ReleaseStore } from '../store/release-store.ts';
import type { Changelog } from '../store/stored-documents.ts';

/** Most commits that a version lists, and most characters of a subject. */
const maxChanges = 200;
const maxSubject = 200;

/** Milliseconds that Git may take, such as in a repository on a stalled network disk. */
const timeout = 20_000;

const run = promisify(execFile);

/**
 * Reads what changed in a part since its version that was published last: the commits that touch its folder, or a package of
 * its repository that it depends on. Never throws, because a part can be published without Git: a note then says what is
 * missing.
 */
export async function readChangelog(
  store: ReleaseStore,
  part: string,
  builtDirectory: string,
): Promise<Changelog> {
  try {
    return await read(store, part, await realpath(builtDirectory));
  } catch (error) {
    return { changes: [], note: `Git could not be read: ${firstLine(error)}` };
  }
}

async function read(store: ReleaseStore, part: string, builtDirectory: string): Promise<Changelog> {
  const git = async (...words: readonly string[]) => {
    const options = { cwd: builtDirectory, timeout, maxBuffer: 2 ** 26 };
    return (await run('git', ['--no-optional-locks', ...words], options)).stdout;
  };
  const root = await git('rev-parse', '--show-toplevel').catch(() => undefined);
  if (root === undefined) return { changes: [], note: 'The build is not in a Git repository.' };
  const commit = await git('rev-parse', '--verify', '--quiet', 'HEAD').catch(() => undefined);
  if (commit === undefined) return { changes: [], note: 'The Git repository has no commit yet.' };

  const paths = await inputPaths(await realpath(root.trim()), builtDirectory);
  const before = await lastPublished(store, part);
  const isKnown =
    before !== undefined &&
    (await git('cat-file', '-e', `${before.commit}^{commit}`).then(
      () => true,
      () => false,
    ));
  const range = isKnown ? `${before.commit}..HEAD` : 'HEAD';
  const limits = [`--max-count=${maxChanges}`, '--no-merges', '--format=%H %s'];
  const log = await git('log', ...limits, range, '--', ...paths);
  const notes = [
    ...((await git('status', '--porcelain', '--', ...paths)) === ''
      ? []
      : ['The working tree had changes that are in no commit.']),
    ...(before !== undefined && !isKnown
      ? [`The commit of ${before.version}, ${before.commit.slice(0, 10)}, is not in this repository.`]
      : []),
  ];
  return {
    commit: commit.trim(),
    ...(isKnown && { since: before.version }),
    changes: log.split('\n').filter(Boolean).map(parseLine),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}

function parseLine(line: string): Changelog['changes'][number] {
  const [commit = ''] = line.split(' ', 1);
  return { commit, subject: line.slice(commit.length + 1).slice(0, maxSubject) };
}

/** The version of a part that was published last, with its commit. */
async function lastPublished(store: ReleaseStore, part: string) {
  const versions = await store.versionsOf(part);
  const records = await Promise.all(
    versions.map(async (version) => ({ version, record: await store.versionRecord(part, version) })),
  );
  return records
    .flatMap(({ version, record }) => {
      const commit = record?.changelog?.commit;
      return record && commit ? [{ version, commit, publishedAt: record.publishedAt }] : [];
    })
    .sort((a, b) => (a.publishedAt < b.publishedAt ? -1 : 1))
    .at(-1);
}

const dependencies = z.object({
  dependencies: z.optional(z.record(z.string(), z.unknown())),
  devDependencies: z.optional(z.record(z.string(), z.unknown())),
});

/** The part's folder and those of the workspaces that it depends on, without tests, as paths for Git. */
async function inputPaths(root: string, builtDirectory: string): Promise<readonly string[]> {
  const found = new Set<string>();
  const add = async (folder: string): Promise<void> => {
    if (found.has(folder)) return;
    found.add(folder);
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}');
    const { dependencies: runtime, devDependencies } = dependencies.parse(JSON.parse(text));
    for (const name of Object.keys({ ...runtime, ...devDependencies })) {
      const linked = await realpath(join(root, 'node_modules', name)).catch(() => undefined);
      const path = linked && relative(root, linked);
      // Workspaces are links to folders of the repository. All other packages are installed.
      if (linked && path && !path.split(sep).some((word) => word === '..' || word === 'node_modules'))
        await add(linked);
    }
  };
  await add(await packageFolder(root, builtDirectory));
  return [...[...found].map((folder) => `:/${relative(root, folder)}`), ':(top,exclude,glob)**/*.test.*'];
}

/** The folder of the package that a build belongs to. */
async function packageFolder(root: string, directory: string): Promise<string> {
  if (directory === root) return root;
  const manifest = await readFile(join(directory, 'package.json')).catch(() => undefined);
  return manifest ? directory : packageFolder(root, dirname(directory));
}

function firstLine(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line;
}
