import Table from 'cli-table3';

/** Writes a text and a line break to stdout. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Whoever reads the output has seen enough, as `head` does. */
export function isLostReader(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EPIPE' && [process.stdout, process.stderr].some(({ errored }) => errored !== null);
}

/** What goes on meanwhile, on stderr: stdout is for the result. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** For machines: one JSON value. */
export function sayJson(value: unknown): void {
  say(JSON.stringify(value, null, 2));
}

/** For people: a table without lines between its rows. */
export function sayTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const table = new Table({
    head: [...head],
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    style: { head: [], border: [] },
  });
  table.push(...rows.map((row) => [...row]));
  say(table.toString());
}

/** `1 lead`, `2 leads`. */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${count} ${count === 1 ? thing : things}`;
}

/** A time of the database for people: `2026-11-21 09:30`, in UTC. */
export function shortTime(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
