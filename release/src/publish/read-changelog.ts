import { realpath } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import * as z from 'zod/mini';
import { readRegularFile } from '../platform/regular-files.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import type { Changelog } from '../store/stored-documents.ts';
import { GitError, openGit, type Git } from './git-repository.ts';

/** Most commits that a version lists, and most characters of a subject. */
export const maxChanges = 200;

/** Note of a version that no commit describes. */
export const uncommittedNote = 'The working tree had changes that are in no commit.';

/** Hash of a Git commit, SHA-1 or SHA-256. With another length, Git would take it for the name of a branch. */
export const commitHash = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const maxSubject = 200;

/**
 * Reads what changed in a part since its version that was published last: the commits that touch its folder, or a package of
 * its repository that it depends on. Never throws, because a part can be published without Git: a note then says what is
 * missing. No note names a path of this machine, because records and boards are for others.
 *
 * @param readBefore reads the version that was published last
 */
export async function readChangelog(
  readBefore: () => Promise<PublishedCommit | undefined>,
  builtDirectory: string,
): Promise<Changelog> {
  try {
    return await read(readBefore, await realpath(builtDirectory));
  } catch (error) {
    return { changes: [], note: error instanceof GitError ? error.message : 'Git could not be read.' };
  }
}

async function read(
  readBefore: () => Promise<PublishedCommit | undefined>,
  builtDirectory: string,
): Promise<Changelog> {
  const git = await openGit(builtDirectory);
  const root = await realpath((await git('rev-parse', '--show-toplevel')).replace(/\r?\n$/, ''));
  if (isOutside(root, builtDirectory)) {
    return { changes: [], note: 'The build is outside of the working tree of its Git repository.' };
  }
  const commit = await outputUnlessMissing(git('rev-parse', '--verify', '--quiet', 'HEAD'));
  if (commit === undefined) return { changes: [], note: 'The Git repository has no commit yet.' };

  const folder = await packageFolder(root, builtDirectory);
  const paths = await inputPaths(root, folder);
  const before = await readBefore();
  const isKnown =
    before !== undefined &&
    (await outputUnlessMissing(git('cat-file', '-e', `${before.commit}^{commit}`))) !== undefined;
  const range = isKnown ? `${before.commit}..HEAD` : 'HEAD';
  const limits = [`--max-count=${maxChanges + 1}`, '--no-merges', '--no-commit-header', '--format=%H %s'];
  const changes = linesOf(await git('rev-list', ...limits, range, '--', ...paths)).map(parseLine);
  const output = builtDirectory === folder ? [] : [`:(top,exclude,literal)${relative(root, builtDirectory)}`];
  // The lock file and the settings of compilers are at the root.
  const inputs = [...paths, ':(top,glob)*.json', ...output];
  const status = await git('status', '--porcelain', '--ignore-submodules=dirty', '--', ...inputs);
  const notes = [
    ...(status === '' ? [] : [uncommittedNote]),
    ...(before !== undefined && !isKnown
      ? [`The commit of ${before.version}, ${before.commit.slice(0, 10)}, is not in this repository.`]
      : []),
    ...(changes.length > maxChanges ? [`Only the last ${maxChanges} commits are listed.`] : []),
  ];
  return {
    commit: commit.trim(),
    folder: relative(root, builtDirectory).replaceAll(sep, '/'),
    ...(isKnown && { since: before.version }),
    changes: changes.slice(0, maxChanges),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}

/** Output of a command; `undefined` if Git answers that there is no such object. */
async function outputUnlessMissing(output: ReturnType<Git>): Promise<string | undefined> {
  try {
    return await output;
  } catch (error) {
    if (error instanceof GitError && (error.exitCode === 1 || error.exitCode === 128)) return undefined;
    throw error;
  }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter(Boolean);
}

function isOutside(root: string, folder: string): boolean {
  return relative(root, folder).split(sep)[0] === '..';
}

function parseLine(line: string): Changelog['changes'][number] {
  const [commit = ''] = line.split(' ', 1);
  return { commit, subject: line.slice(commit.length + 1).slice(0, maxSubject) };
}

/** A version, and the commit that it was published from. */
interface PublishedCommit {
  readonly version: string;
  readonly commit: string;
  /** ISO 8601, UTC. */
  readonly publishedAt: string;
}

/** The version of a part that was published last, among those with a commit. */
export async function lastPublished(store: ReleaseStore, part: string): Promise<PublishedCommit | undefined> {
  const versions = await store.versionsOf(part);
  const records = await Promise.all(
    versions.map(async (version) => {
      // A damaged record must not hide the others.
      return { version, record: await store.versionRecord(part, version).catch(() => undefined) };
    }),
  );
  return newestWithCommit(
    records.flatMap(({ version, record }) =>
      record ? [{ version, commit: record.changelog?.commit, publishedAt: record.publishedAt }] : [],
    ),
  );
}

/** The version that was published last, among those with a commit. */
export function newestWithCommit(
  versions: readonly (Omit<PublishedCommit, 'commit'> & { readonly commit?: string | undefined })[],
): PublishedCommit | undefined {
  return versions
    .flatMap(({ commit = '', ...version }) => (commitHash.test(commit) ? [{ ...version, commit }] : []))
    .sort((a, b) => (a.publishedAt < b.publishedAt ? -1 : 1))
    .at(-1);
}

const dependencies = z.object({
  dependencies: z.optional(z.record(z.string(), z.unknown())),
  devDependencies: z.optional(z.record(z.string(), z.unknown())),
});

/** The part's folder and those of the workspaces that it depends on, without tests, as paths for Git. */
async function inputPaths(root: string, partFolder: string): Promise<readonly string[]> {
  const found = new Set<string>();
  const add = async (folder: string): Promise<void> => {
    if (found.has(folder)) return;
    found.add(folder);
    for (const name of await dependenciesOf(folder)) {
      const linked = await realpath(join(root, 'node_modules', name)).catch(() => undefined);
      const path = linked && relative(root, linked);
      // Workspaces are links to folders of the repository. All other packages are installed.
      if (linked && path && !path.split(sep).some((word) => word === '..' || word === 'node_modules'))
        await add(linked);
    }
  };
  await add(partFolder);
  return [
    ...[...found].map((folder) => `:(top,literal)${relative(root, folder)}`),
    ':(top,exclude,glob)**/*.test.*',
  ];
}

/** Names in a `package.json`; none if it is missing or damaged. */
async function dependenciesOf(folder: string): Promise<readonly string[]> {
  try {
    const text = await readRegularFile(join(folder, 'package.json'));
    const { dependencies: runtime, devDependencies } = dependencies.parse(JSON.parse(text.toString()));
    return Object.keys({ ...runtime, ...devDependencies });
  } catch {
    return [];
  }
}

/** The folder of the package that a build belongs to. */
export async function packageFolder(root: string, directory: string): Promise<string> {
  if (directory === root) return root;
  const manifest = await readRegularFile(join(directory, 'package.json')).catch(() => undefined);
  return manifest ? directory : packageFolder(root, dirname(directory));
}
