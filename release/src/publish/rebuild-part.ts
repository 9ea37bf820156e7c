import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { PartName } from '@countersign/contracts/remotes';
import { buildEnvironment, childEnvironment } from '../platform/config.ts';
import { hasIntegrity } from '../platform/file-hash.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { runToCompletion } from '../platform/run-until-ended.ts';
import type { FileHashes, VersionRecord } from '../store/stored-documents.ts';
import { withoutHookVariables } from './git-repository.ts';
import { readBuild } from './publish-part.ts';
import { commitHash, packageFolder, uncommittedNote } from './read-changelog.ts';

/** What a rebuild needs to know about a version. */
export type RebuiltRecord = Pick<VersionRecord, 'files' | 'changelog'>;

/** A version, and where its sources are. */
interface Rebuild {
  readonly part: PartName;
  readonly version: string;
  readonly record: RebuiltRecord;
  /** Address or folder of a Git repository. */
  readonly repository: string;
  progress(step: string): void;
}

/** Outcome of a rebuild. */
interface Rebuilt {
  readonly commit: string;
  /** Number of published files. */
  readonly files: number;
  /** Names of files with other content, of published files that the rebuild lacks, and of files that it adds. */
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  readonly added: readonly string[];
}

/**
 * Builds the commit of a published version in a temporary folder, and compares the files that `publish` would store with those of the
 * record. Writes nothing else. Throws a {@link ReleaseError} if no rebuild can match, or if one fails.
 *
 * @param signal stops the running step; the folder is removed before the promise rejects
 */
export async function rebuildPart(rebuild: Rebuild, signal: AbortSignal): Promise<Rebuilt> {
  const { part, version, record } = rebuild;
  const commit = commitOf(rebuild);
  const root = await realpath(await mkdtemp(join(tmpdir(), 'rebuild-')));
  try {
    const run = runIn(root, signal);
    await checkOut(rebuild, commit, run);
    const directory = join(root, record.changelog?.folder ?? `${part}/dist`);
    await build(rebuild, root, directory, run);
    const { files } = await readBuild(part, directory);
    return { commit, ...compare(record.files, files) };
  } catch (cause) {
    if (!signal.aborted) throw cause;
    throw new ReleaseError(`The rebuild of ${part} ${version} was stopped, so nothing was compared.`, {
      cause,
    });
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The commit of a record. Throws a {@link ReleaseError} if no build of a commit can have the files of the record. */
function commitOf({ part, version, record: { changelog } }: Rebuild): string {
  const { commit = '', note } = changelog ?? {};
  if (!commitHash.test(commit)) {
    throw new ReleaseError(
      `The record of ${part} ${version} names no commit: ${note ?? 'it was published by an older release command.'} Publish a new version from a commit.`,
    );
  }
  if (note?.includes(uncommittedNote)) {
    throw new ReleaseError(
      `${part} ${version} was built from ${commit.slice(0, 10)} with changes that are in no commit, so no rebuild can match. Commit them, build, and publish a new version.`,
    );
  }
  return commit;
}

/** Runs a program in a folder below the root. Resolves to whether it succeeded. */
type Run = (
  file: string,
  words: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly cwd?: string },
) => Promise<boolean>;

function runIn(root: string, signal: AbortSignal): Run {
  return async (file, words, { env, cwd = root }) => {
    // npm does not end what the shell of its script has started.
    const options = { cwd, env, detached: true };
    const { exitCode, stdout } = await runToCompletion(file, words, options, signal);
    if (exitCode !== 0) process.stderr.write(stdout);
    return exitCode === 0;
  };
}

/** Fetches one commit, without its history, and writes its files into the root. */
async function checkOut({ repository, progress }: Rebuild, commit: string, run: Run): Promise<void> {
  progress(`fetching ${commit.slice(0, 10)}`);
  const env = childEnvironment({ ...withoutHookVariables, GIT_TERMINAL_PROMPT: '0' });
  // Line ends stay as in the commit, as on the machines that publish.
  const settings = [
    'core.hooksPath=/dev/null',
    'core.autocrlf=false',
    'protocol.version=2',
    'advice.detachedHead=false',
  ];
  const git = (...words: readonly string[]) =>
    run('git', [...settings.flatMap((setting) => ['-c', setting]), ...words], { env });
  const isFolder = await stat(repository).catch(() => undefined);
  const source = isFolder ? resolve(repository) : repository;
  const format = commit.length === 64 ? 'sha256' : 'sha1';
  const isThere =
    (await git('init', '--quiet', '--template=', `--object-format=${format}`)) &&
    (await git('fetch', '--quiet', '--depth=1', '--no-tags', '--', source, commit)) &&
    (await git('checkout', '--quiet', '--detach', 'FETCH_HEAD'));
  if (isThere) return;
  throw new ReleaseError(
    `Commit ${commit.slice(0, 10)} cannot be fetched from ${source}. Fetch it there, or name its repository: --repository <url>.`,
  );
}

/** Installs the packages that the lock file names, without their scripts, and builds the package of a folder. */
async function build(
  { part, version, progress }: Rebuild,
  root: string,
  directory: string,
  run: Run,
): Promise<void> {
  const packageRoot = await packageFolder(root, directory);
  const locked = await lockFolder(root, packageRoot);
  if (locked === undefined) {
    throw new ReleaseError(
      `The commit of ${part} ${version} has no package-lock.json, so its packages cannot be installed as they were. Only builds of npm can be compared.`,
    );
  }
  const env = buildEnvironment({ PART_VERSION: version });
  progress('installing the packages of its package-lock.json');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const isInstalled = await run('npm', ['ci', '--ignore-scripts', '--prefer-offline', ...quiet], {
    env,
    cwd: locked,
  });
  if (!isInstalled) {
    throw new ReleaseError('The packages of the commit could not be installed. npm says why above.');
  }
  progress(`building ${part} ${version}`);
  if (await run('npm', ['run', '--silent', 'build'], { env, cwd: packageRoot })) return;
  throw new ReleaseError(`The build of ${part} ${version} failed. Its errors are above.`);
}

/** The closest folder with a lock file, from a folder up to the root. */
async function lockFolder(root: string, folder: string): Promise<string | undefined> {
  if (await stat(join(folder, 'package-lock.json')).catch(() => undefined)) return folder;
  return folder === root ? undefined : lockFolder(root, dirname(folder));
}

function compare(published: FileHashes, rebuilt: ReadonlyMap<string, Uint8Array>): Omit<Rebuilt, 'commit'> {
  const names = Object.keys(published);
  const changed = [...rebuilt].filter(
    ([name, bytes]) => names.includes(name) && !hasIntegrity(bytes, published[name]),
  );
  return {
    files: names.length,
    changed: changed.map(([name]) => name),
    missing: names.filter((name) => !rebuilt.has(name)),
    added: [...rebuilt.keys()].filter((name) => !names.includes(name)),
  };
}
