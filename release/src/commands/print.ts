import Table from 'cli-table3';

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
  const plain = Object.fromEntries(
    ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
      ['', '-mid', '-left', '-right'].map((part) => [`${side}${part}`, '']),
    ),
  );
  const output = new Table({
    head: [...head],
    chars: { ...plain, middle: '  ' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  output.push(...rows.map((row) => [...row]));
  return output
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
