import { text } from 'node:stream/consumers';
import { parseEmail } from '../privacy/person.ts';

/** An e-mail address out of a command; `-` reads it from stdin, so that it stands in no history and no process list. */
export async function readEmail(argument: string): Promise<string> {
  return parseEmail(argument === '-' ? await text(process.stdin) : argument);
}
