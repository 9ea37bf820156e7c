/**
 * Prints the parts that the changes since a commit affect, as a JSON list, for the release workflow:
 * `node scripts/ci/affected-parts.ts <commit>`. Without a commit, or for a branch's first push, all parts.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readArguments } from '@countersign/contracts/arguments';
import { partNames, type PartName } from '@countersign/contracts/remotes';

const root = join(import.meta.dirname, '..', '..');
const turbo = join(root, 'node_modules', '.bin', 'turbo');

/**
 * Parts whose build the changes since a commit affect, the shell first: changed ones, and those that depend on a changed package.
 * Throws an error if the commit is unknown, because Turborepo takes an unknown commit for a change of everything.
 */
export function affectedParts(repository: string, base: string): readonly PartName[] {
  const options = { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const commit = ['rev-parse', '--verify', '--end-of-options', `${base}^{commit}`];
  const { status, stdout } = spawnSync('git', commit, options);
  if (status !== 0) {
    throw new Error(
      `The commit "${base}" is not in this clone. Fetch the whole history, or name another commit.`,
    );
  }
  const args = ['run', 'build', `--filter=...[${stdout.trim()}...HEAD]`, '--dry=json'];
  const { tasks } = JSON.parse(execFileSync(turbo, args, { ...options, stdio: 'pipe' })) as {
    readonly tasks: readonly { readonly taskId: string }[];
  };
  return partNames.filter((part) => tasks.some(({ taskId }) => taskId === `${part}#build`));
}

if (import.meta.main) {
  const { positionals } = readArguments('node scripts/ci/affected-parts.ts [commit]', [0, 1]);
  const [base = ''] = positionals;
  // GitHub names zeros as the commit before a branch's first push.
  const isWithoutBase = /^0*$/.test(base);
  try {
    console.log(JSON.stringify(isWithoutBase ? partNames : affectedParts(root, base)));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
