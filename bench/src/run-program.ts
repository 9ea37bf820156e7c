import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { environmentWith } from './config.ts';

/** Runs a Node program without output. Returns its duration in milliseconds. */
export async function runProgram(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
  directory: string,
): Promise<number> {
  const startedAt = performance.now();
  const running = spawn(process.execPath, args, {
    cwd: directory,
    env: environmentWith(variables),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const messages = text(running.stderr);
  const [code] = (await once(running, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${args.join(' ')} failed.\n${await messages}`);
  return performance.now() - startedAt;
}
