import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { compileCache } from './config.ts';
import { recordOutput } from './recorded-output.ts';

const entryPoint = join(import.meta.dirname, '../cli/main.ts');

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the `leads` command with only these environment variables. */
export async function runLeads(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  {
    input = '',
    nodeOptions = [],
  }: { readonly input?: string; readonly nodeOptions?: readonly string[] } = {},
): Promise<CommandResult> {
  const child = spawn(process.execPath, [...nodeOptions, entryPoint, ...args], {
    env: { ...compileCache, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  // Records only stderr, because stdout contains personal data on purpose.
  recordOutput(stderr);
  return { code, stdout, stderr };
}
