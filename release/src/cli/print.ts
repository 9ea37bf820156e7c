import { printableJson, printableLine } from '../platform/printable.ts';

/** The output of a command on stdout: the value with `--json`, else the lines. */
export interface Output {
  readonly json: unknown;
  readonly lines: string | readonly string[];
  /** Whether the exit code is 1, because the command found something wrong. */
  readonly hasFailed?: boolean;
}

/** Prints an output, without terminal control sequences, and sets the exit code. */
export function print(
  { json, lines, hasFailed }: Output,
  call: { readonly json?: boolean | undefined },
): void {
  console.log(call.json ? printableJson(json) : [lines].flat().map(printableLine).join('\n'));
  if (hasFailed) process.exitCode = 1;
}

/** One part and its version, or part → version of several, for the result as JSON. */
export function versionsAsJson(versions: Readonly<Record<string, string | undefined>>) {
  const [[part, version] = [], ...others] = Object.entries(versions);
  return others.length > 0 ? { versions } : { part, version };
}

/** Prints progress on stderr, because stdout is for the result. */
export function printProgress(line: string): void {
  console.error(printableLine(line));
}

/** Delay after which a user wonders whether a command still runs, in milliseconds. */
const slowAfter = 1000;

/** Runs `work`, and prints `label` as progress if it takes longer than a second. */
export async function printProgressWhenSlow<Result>(
  label: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => printProgress(`${label} …`), slowAfter);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}

/** The lines of a table without borders, which suits narrow terminals and `grep`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const cells = [head, ...rows.map((row) => row.map(printableLine))];
  const widths = head.map((_title, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
