export interface PrintOptions {
  /** For machines: one JSON document on stdout, and nothing else. */
  readonly json?: boolean | undefined;
}

/** Prints a result: the value for machines, the lines for people. */
export function print({ json }: PrintOptions, value: unknown, lines: string | readonly string[]): void {
  if (json) console.log(JSON.stringify(value, null, 2));
  else console.log(typeof lines === 'string' ? lines : lines.join('\n'));
}

/** A table without frames, fit for a narrow terminal and for `grep`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [head, ...rows].map(line).join('\n');
}
