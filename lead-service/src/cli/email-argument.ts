import { text } from 'node:stream/consumers';
import { parseEmail } from '../lead-admin/person.ts';

/** Reads an e-mail address. `-` reads it from stdin, so that it appears in no shell history and no process list. */
export async function readEmail(argument: string): Promise<string> {
  return parseEmail(argument === '-' ? await text(process.stdin) : argument);
}
