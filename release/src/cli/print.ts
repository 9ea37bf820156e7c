import { printableJson, printableLine } from '../printable.ts';

export interface PrintOptions {
  /** For machines: one JSON document on stdout, and nothing else. */
  readonly json?: boolean | undefined;
}

/** Prints a result: the value for machines, the lines for people. Text from outside cannot command the terminal. */
export function print({ json }: PrintOptions, value: unknown, lines: string | readonly string[]): void {
  if (json) console.log(printableJson(value));
  else console.log([lines].flat().map(printableLine).join('\n'));
}

/** Tells people on stderr what goes on meanwhile: stdout is for the result. */
export function note(line: string): void {
  console.error(printableLine(line));
}

/** The lines of a table without frames, fit for a narrow terminal and for `grep`. */
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
