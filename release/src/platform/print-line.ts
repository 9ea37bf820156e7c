import { printableLine } from './printable.ts';

/** Prints a status line of `npm start` or `serve`. */
export function printLine(line: string): void {
  console.log(`site: ${printableLine(line)}`);
}
