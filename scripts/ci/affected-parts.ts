/**
 * Prints the parts that the changes since a commit affect, as a JSON list, for the release workflow:
 * `node scripts/ci/affected-parts.ts <commit>`. Without a commit, or for a branch's first push, all parts.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { partNames, type PartName } from '@countersign/contracts/remotes';

const root = join(import.meta.dirname, '..', '..');
const turbo = join(root, 'node_modules', '.bin', 'turbo');

interface DryRun {
  readonly tasks: readonly { readonly taskId: string }[];
}

/**
 * Parts whose build the changes since a commit affect, the shell first: changed ones, and those that depend on a changed package.
 * Throws an error if the commit is unknown, because Turborepo takes an unknown commit for a change of everything.
 */
export function affectedParts(repository: string, base: string): readonly PartName[] {
  const run = (file: string, words: readonly string[]) =>
    execFileSync(file, words, { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: 'pipe' });
  const findCommit = () => {
    try {
      return run('git', ['rev-parse', '--verify', '--end-of-options', `${base}^{commit}`]).trim();
    } catch (cause) {
      const message = `The commit "${base}" is not in this clone. Fetch the whole history, or name another commit.`;
      throw new Error(message, { cause });
    }
  };
  const filter = `--filter=...[${findCommit()}...HEAD]`;
  const { tasks } = JSON.parse(run(turbo, ['run', 'build', filter, '--dry=json'])) as DryRun;
  return partNames.filter((part) => tasks.some(({ taskId }) => taskId === `${part}#build`));
}

if (import.meta.main) {
  const [base = ''] = process.argv.slice(2);
  /** What GitHub names as the commit before a branch's first push. */
  const isFirstPush = /^0*$/.test(base);
  try {
    console.log(JSON.stringify(isFirstPush ? partNames : affectedParts(root, base)));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
