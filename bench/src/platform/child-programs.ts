import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { environmentWith } from './config.ts';

export const projectDirectory = join(import.meta.dirname, '..', '..', '..');

/** Runs a Node program. Returns what it prints, which is in the error if it fails. */
export async function runProgram(
  args: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
  directory = projectDirectory,
): Promise<string> {
  const options = { cwd: directory, env: environmentWith(variables) };
  return (await promisify(execFile)(process.execPath, args, options)).stdout;
}

/** A Node program in a child process, stopped on disposal. */
interface StartedProgram extends AsyncDisposable {
  /** What the first group of the expression matched, or all of it. */
  readonly printed: string;
}

/** Starts a Node program, and waits until it prints a line that matches. */
export async function startProgram(
  args: readonly string[],
  expected: RegExp,
  variables: Readonly<Record<string, string | undefined>> = {},
): Promise<StartedProgram> {
  const child = spawn(process.execPath, args, {
    cwd: projectDirectory,
    env: environmentWith(variables),
    // The IPC channel closes if the benchmark is aborted, and a server then exits.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const { stdout } = child;
  if (!stdout) throw new TypeError('The program was spawned without an output pipe.');
  const printed = await new Promise<string>((resolve, reject) => {
    const lines = createInterface(stdout).on('line', (line) => {
      const match = expected.exec(line);
      if (!match) return;
      lines.close();
      // Discards further output, because parsing it would cost CPU time.
      stdout.resume();
      resolve(match[1] ?? match[0]);
    });
    child.once('exit', () => reject(new Error(`${args.join(' ')} ended early. See its output above.`)));
  });
  return {
    printed,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
