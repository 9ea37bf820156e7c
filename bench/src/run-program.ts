import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { environmentWith } from './config.ts';

/** Runs a program in Node to its end, without its output, and returns how long it took, in milliseconds. */
export async function runProgram(
  words: readonly string[],
  variables: Readonly<Record<string, string>>,
  directory: string,
): Promise<number> {
  const begun = performance.now();
  const running = spawn(process.execPath, words, {
    cwd: directory,
    env: environmentWith(variables),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const messages = text(running.stderr);
  const [code] = await once(running, 'exit');
  if (code !== 0) throw new Error(`${words.join(' ')} failed.\n${await messages}`);
  return performance.now() - begun;
}
