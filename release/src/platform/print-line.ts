import { printableLine } from './printable.ts';

/** Tells whoever runs the command how far it is. */
export function say(line: string): void {
  console.log(`site: ${printableLine(line)}`);
}
