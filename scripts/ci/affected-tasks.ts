import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { partNames, type PartName } from '@countersign/contracts/remotes';

const turbo = join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'turbo');

/** What Turborepo prints for a package that has no script for a task. */
const withoutScript = '<NONEXISTENT>';

interface DryRun {
  readonly tasks: readonly { readonly package: string; readonly task: string; readonly command: string }[];
}

/**
 * Tasks that `turbo run` executes for the changes since a commit: those of changed packages, and of packages that depend on
 * them. Sorted, as `<package>#<task>`. Throws an error if the commit is unknown, because Turborepo takes an unknown commit
 * for a change of everything.
 */
export function affectedTasks(repository: string, base: string, tasks: readonly string[]): readonly string[] {
  const run = (file: string, words: readonly string[]) =>
    execFileSync(file, words, { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: 'pipe' });
  const findCommit = () => {
    try {
      return run('git', ['rev-parse', '--verify', '--end-of-options', `${base}^{commit}`]).trim();
    } catch (cause) {
      // Without a status, git itself could not be started.
      if (!(cause instanceof Error && 'status' in cause && typeof cause.status === 'number')) throw cause;
      const message = `The commit "${base}" is not in this clone. Fetch the whole history, or name another commit.`;
      throw new Error(message, { cause });
    }
  };
  const commit = findCommit();
  const filter = `--filter=...[${commit}...HEAD]`;
  const { tasks: found } = JSON.parse(run(turbo, ['run', ...tasks, filter, '--dry=json'])) as DryRun;
  return found
    .filter(({ command }) => command !== withoutScript)
    .map(({ package: name, task }) => `${name}#${task}`)
    .sort();
}

/** Parts whose build the changes since a commit affect, the shell first. */
export function affectedParts(repository: string, base: string): readonly PartName[] {
  const builds = affectedTasks(repository, base, ['build']);
  return partNames.filter((part) => builds.includes(`${part}#build`));
}
