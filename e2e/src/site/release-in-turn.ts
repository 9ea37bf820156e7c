/**
 * `node release-in-turn.ts`: runs commands behind `npm run release` one after the other, which takes a fraction of the time of one
 * process each. Reads them from standard input as JSON, each as a list of its words, and prints a list of what they print for
 * machines. Ends at the first command that fails.
 */
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

const program = join(import.meta.dirname, '..', '..', '..', 'release', 'src', 'cli', 'release-program.ts');
const { runProgram } = (await import(program)) as { runProgram(words: readonly string[]): Promise<void> };

const commands = (await json(process.stdin)) as readonly (readonly string[])[];
const results: unknown[] = [];
const { log } = console;
console.log = (printed: string) => void results.push(JSON.parse(printed));
for (const words of commands) {
  await runProgram([...words, '--json']);
  if (process.exitCode) break;
}
log(JSON.stringify(results));
