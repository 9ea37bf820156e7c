import Table from 'cli-table3';
import { printable, printableJson } from './printable.ts';

/** Writes a text and a line break to stdout. Text of a visitor in it cannot command the terminal. */
export function say(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

const lostReaders = new WeakSet<Error>();

/** Whoever reads the output may have seen enough, as `head` does. That is no fault. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      lostReaders.add(error);
    });
  }
}

/** Whether something failed because nobody reads the output any more. */
export function isLostReader(error: unknown): boolean {
  return error instanceof Error && lostReaders.has(error);
}

/** What goes on meanwhile, on stderr: stdout is for the result. */
export function note(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** For machines: one JSON value. */
export function sayJson(value: unknown): void {
  process.stdout.write(`${printableJson(value)}\n`);
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
