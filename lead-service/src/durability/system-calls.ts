import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureStrace } from './ensure-strace.ts';

/** Watches what processes ask of the operating system. */
export interface SystemCalls extends Disposable {
  /** A command: what follows it is watched, with its threads. Words of `strace` itself may follow, too. */
  readonly command: readonly string[];
  /** Steps that a thread took, in order, one list for each thread that took any. Repeated steps are named once. */
  stepsByThread(steps: Readonly<Record<string, RegExp>>): string[][];
}

export function watchSystemCalls(): SystemCalls {
  ensureStrace();
  const directory = mkdtempSync(join(tmpdir(), 'lead-service-trace-'));
  const calls = 'fsync,fdatasync,rename,pwrite64,read,write,writev,recvfrom,sendto';
  return {
    // One file per thread: in a common one, the calls of two threads interrupt each other.
    command: ['strace', '-ff', '-y', '-s', '200', '-e', `trace=${calls}`, '-o', join(directory, 'thread')],
    stepsByThread: (steps) =>
      readdirSync(directory)
        .map((file) => stepsIn(readFileSync(join(directory, file), 'utf8'), steps))
        .filter((taken) => taken.length > 0),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  };
}

function stepsIn(trace: string, steps: Readonly<Record<string, RegExp>>): string[] {
  const taken = trace
    .split('\n')
    .flatMap((call) => Object.keys(steps).filter((step) => steps[step]?.test(call)));
  return taken.filter((step, index) => step !== taken[index - 1]);
}
