import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { childEnvironment } from '../platform/config.ts';

/** Milliseconds that a command may take, such as in a repository on a stalled network disk. */
const timeout = 20_000;

const run = promisify(execFile);

/** Turns off the settings of a repository that start programs when it is read. */
const safeSettings = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  // A repository inside the build, which is no work tree, would bring settings of its own.
  'safe.bareRepository=explicit',
].flatMap((setting) => ['-c', setting]);

/** Variables of a hook that runs this tool, unset, so that the repository of a folder counts. */
export const withoutHookVariables = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_COMMON_DIR: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
} as const;

/** A command of Git that failed. The message names no path of this machine. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly exitCode: number | undefined;

  constructor(message: string, exitCode: number | undefined, cause: unknown) {
    super(message, { cause });
    this.exitCode = exitCode;
  }
}

/** Runs a command of Git and resolves to its output. Throws a {@link GitError} if it fails. */
export type Git = (...words: readonly string[]) => Promise<string>;

/**
 * Git in a folder, for reading only. The repository may come from another machine with the build, so none of its settings
 * can start a program or open a connection.
 */
export async function openGit(directory: string): Promise<Git> {
  const env = childEnvironment({
    ...withoutHookVariables,
    // A partial clone would fetch missing objects, with programs that its settings name.
    GIT_ALLOW_PROTOCOL: '',
    // Does not even start that fetch: if the fetch ends early, Git dies of a broken pipe.
    GIT_NO_LAZY_FETCH: '1',
    LC_ALL: 'C',
    EMPTY: '',
  });
  const open =
    (settings: readonly string[]): Git =>
    async (...words) => {
      try {
        const options = { cwd: directory, env, timeout, maxBuffer: 2 ** 26 };
        return (await run('git', ['--no-optional-locks', ...safeSettings, ...settings, ...words], options))
          .stdout;
      } catch (error) {
        throw toGitError(error, words[0] ?? '');
      }
    };
  const names = await open([])('config', '-z', '--name-only', '--get-regexp', '^filter\\.').catch(
    (error: unknown) => {
      // Git's answer if there are none.
      if (error instanceof GitError && error.exitCode === 1) return '';
      throw error;
    },
  );
  const filters = [...new Set(names.split('\0').filter(Boolean))];
  // Overrides each setting of a filter with the empty value, so that no filter program starts.
  return open(filters.map((filter) => `--config-env=${filter}=EMPTY`));
}

/** Causes, by what Git prints. */
const causes = [
  [/not a git repository/i, 'The build is not in a Git repository.'],
  [
    /dubious ownership/,
    'The Git repository belongs to another user, and Git reads it only if its setting safe.directory names it.',
  ],
] as const;

function toGitError(error: unknown, command: string): GitError {
  const { code, killed, signal, stderr } = error as {
    readonly code?: unknown;
    readonly killed?: boolean;
    readonly signal?: string;
    readonly stderr?: unknown;
  };
  const exitCode = typeof code === 'number' ? code : undefined;
  const [, known] = causes.find(([pattern]) => pattern.test(String(stderr))) ?? [];
  const message =
    known ??
    (code === 'ENOENT'
      ? 'Git is not installed.'
      : killed
        ? `"git ${command}" took longer than ${timeout / 1000} s.`
        : `"git ${command}" failed (${exitCode === undefined ? String(signal ?? code) : `exit code ${exitCode}`}).`);
  return new GitError(message, exitCode, error);
}
