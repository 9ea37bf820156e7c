/**
 * `node release-in-turn.ts`: runs commands behind `npm run release` one after the other, which takes a fraction of the time of
 * separate processes. Reads a JSON list of commands from standard input, each a list of words, and prints the list of their JSON
 * results. Stops at the first command that fails.
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
