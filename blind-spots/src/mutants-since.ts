import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Mutant } from '@countersign/webpack-config/build-mutants';
import { ReleaseError } from '../../release/src/platform/release-error.ts';

/** File → ranges of lines that have changed. */
type ChangedLines = ReadonlyMap<string, readonly (readonly [first: number, last: number])[]>;

/**
 * The lines of a part's sources that have changed since a commit, committed or not. Throws a {@link ReleaseError} without such a commit.
 */
export async function changedLines(commit: string, folder: string): Promise<ChangedLines> {
  const git = async (...args: readonly string[]) => {
    const { stdout } = await promisify(execFile)('git', args, { cwd: folder, maxBuffer: 2 ** 26 });
    return stdout.split('\n');
  };
  // Whatever the settings of the user are.
  const format = ['--unified=0', '--no-color', '--no-ext-diff', '--dst-prefix=b/', '--relative'];
  const lines = await git('diff', ...format, commit, '--', 'src').catch((cause: unknown) => {
    const [first, why = first] = String(cause).split('\n');
    throw new ReleaseError(`Git cannot compare with "${commit}": ${why}. Name a commit of this repository.`, {
      cause,
    });
  });
  const changed = new Map<string, (readonly [first: number, last: number])[]>();
  let file = '';
  for (const line of lines) {
    file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1] ?? file;
    const [hunk, first, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (hunk === undefined || count === '0') continue;
    const ranges = changed.get(file) ?? [];
    changed.set(file, [...ranges, [Number(first), Number(first) + Number(count) - 1]]);
  }
  // Git does not track them yet.
  for (const name of await git('ls-files', '--others', '--exclude-standard', '--', 'src'))
    if (name !== '') changed.set(name, [[1, Infinity]]);
  return changed;
}

/** The mutants that begin in changed lines. For one without others in it, such as a long text, any of its lines counts. */
export function mutantsIn(changed: ChangedLines, mutants: readonly Mutant[]): readonly Mutant[] {
  return mutants.filter((mutant) => {
    const [begin, end] = mutant.lines;
    const last = mutants.some((other) => isInside(other, mutant)) ? begin : end;
    return changed.get(mutant.file)?.some(([from, to]) => from <= last && begin <= to);
  });
}

const isInside = ({ file, span: [from, to] }: Mutant, { file: outer, span: [start, end] }: Mutant) =>
  file === outer && from >= start && to <= end && to - from < end - start;
