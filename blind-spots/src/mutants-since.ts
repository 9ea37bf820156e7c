import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Mutant } from '@countersign/webpack-config/build-mutants';
import { errorMessage } from '../../release/src/platform/errors.ts';
import { ReleaseError } from '../../release/src/platform/release-error.ts';

/**
 * The mutants that begin in lines of a part that have changed since a commit, committed or not. Throws a {@link ReleaseError} without
 * such a commit.
 */
export async function mutantsSince(
  commit: string,
  folder: string,
  mutants: readonly Mutant[],
): Promise<readonly Mutant[]> {
  const args = ['diff', '--unified=0', '--no-color', '--no-ext-diff', '--relative', commit, '--', '.'];
  const { stdout } = await promisify(execFile)('git', args, { cwd: folder, maxBuffer: 2 ** 26 }).catch(
    (cause: unknown) => {
      const why = errorMessage(cause).split('\n')[1] ?? '';
      throw new ReleaseError(
        `Git cannot compare with "${commit}": ${why}. Name a commit of this repository.`,
        { cause },
      );
    },
  );
  const changed = new Map<string, [first: number, last: number][]>();
  let file = '';
  for (const line of stdout.split('\n')) {
    file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1] ?? file;
    const [hunk, first, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (hunk === undefined || count === '0') continue;
    const ranges = changed.get(file) ?? [];
    changed.set(file, [...ranges, [Number(first), Number(first) + Number(count) - 1]]);
  }
  return mutants.filter(({ file: name, lines: [line] }) =>
    changed.get(name)?.some(([first, last]) => first <= line && line <= last),
  );
}
