import assert from 'node:assert/strict';
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { compileCache } from './config.ts';
import { recordOutput } from './memory-log.ts';
import { deadline } from './until.ts';

const entryPoint = join(import.meta.dirname, '../main.ts');
const commandEntryPoint = join(import.meta.dirname, '../cli/main.ts');

type Settings = Readonly<Record<string, string>>;

/** Settings of a service on an unavailable PostgreSQL. No process listens on port 1. */
export const unavailableDatabase = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/leads',
  LEADS_SECRET: 'a secret that only the tests of the service use',
} as const;

/** Starts a program, and keeps the lines that it writes. Disposal kills it. */
export function startProgram(command: string, args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  const linesOf = (stream: Readable | null) => {
    const lines: string[] = [];
    const reader = createInterface(stream ?? assert.fail('Started without pipes.'));
    reader.on('line', (line) => {
      lines.push(line);
      recordOutput(line);
    });
    return { lines, reader };
  };
  const [out, errors] = [linesOf(child.stdout), linesOf(child.stderr)];
  const exit = untilExit(child, [out.reader, errors.reader]);

  /** The first line that contains the text. Rejects if the program ends without it, or after 30 seconds. */
  function line(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      for (const { lines, reader } of [out, errors]) {
        const search = () => {
          const found = lines.find((written) => written.includes(text));
          if (found !== undefined) resolve(found);
        };
        search();
        reader.on('line', search);
      }
      const fail = (end: string) => reject(new Error(`${end} without "${text}": ${errors.lines.join('\n')}`));
      void exit.then(() => fail('Ended'));
      setTimeout(fail, deadline, `${deadline / 1000} s`).unref();
    });
  }

  /** Kills the process, and waits for its end. A crash of the machine also loses the page cache, which SIGKILL keeps. */
  function crash() {
    child.kill('SIGKILL');
    return exit;
  }

  return {
    ...{ child, exit, line, crash, stdout: out.lines, stderr: errors.lines },
    [Symbol.asyncDispose]: async () => void (await crash()),
  };
}

/** Replaces the event `close` of the child, which does not occur after a disconnect. */
async function untilExit(child: ChildProcess, readers: readonly Interface[]) {
  const exited = once(child, 'exit') as Promise<[code: number | null, signal: NodeJS.Signals | null]>;
  await Promise.all(readers.map((reader) => once(reader, 'close')));
  const [code, signal] = await exited;
  return { code, signal };
}

export type ServiceProcess = ReturnType<typeof startService>;

/**
 * Starts the real service in a process, with an IPC channel, this environment, and a free port unless the environment names one. Disposal
 * kills it.
 *
 * @param under a command that runs the service, such as a tracer
 */
export function startService(environment: Settings, under: readonly string[] = []) {
  const [command = process.execPath, ...args] = [...under, process.execPath, entryPoint];
  const service = startProgram(command, args, {
    env: { ...compileCache, LEADS_PORT: '0', LOG_FORMAT: 'text', ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  return {
    ...service,
    /** The URL in the log line about the start. */
    url: async () => /http:\S+(?=,)/.exec(await service.line('listening'))?.[0] ?? '',
    /** The origin in the log line about the inbox. */
    adminUrl: async () => /http:.+(?=\/admin\/inbox)/.exec(await service.line('inbox on'))?.[0] ?? '',
  };
}

/** Runs the `leads` command with only these environment variables. */
export async function runLeads(
  environment: Settings,
  args: readonly string[],
  { input = '' }: { readonly input?: string } = {},
) {
  const child = spawn(process.execPath, [commandEntryPoint, ...args], {
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
