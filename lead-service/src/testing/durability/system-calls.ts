import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installProgram } from '../testing/install-program.ts';

/** Watches what processes ask of the operating system. */
export interface SystemCalls extends Disposable {
  /** A command: what follows it is watched, with its threads. Words of `strace` itself may follow, too. */
  readonly command: readonly string[];
  /**
   * The steps that were taken, in order, whichever thread took them. What is sent or written counts from its beginning,
   * everything else from its end. Repeated steps are named once.
   *
   * @param steps the call of each, with its arguments and result
   */
  order(steps: Readonly<Record<string, RegExp>>): string[];
}

interface SystemCall {
  /** `fsync(19</tmp/mail>) = 0` */
  readonly text: string;
  /** Seconds, on the clock of all threads. */
  readonly counts: number;
}

export function watchSystemCalls(): SystemCalls {
  if (!installProgram('strace')) {
    throw new Error(
      'There is no strace to watch the disk with, and it could not be installed. Install strace.',
    );
  }
  const directory = mkdtempSync(join(tmpdir(), 'lead-service-trace-'));
  const calls = 'fsync,fdatasync,rename,pwrite64,read,write,writev,recvfrom,sendto';
  // One file per thread: in a common one, the calls of two threads interrupt each other. With times, to the microsecond.
  const options = ['-ff', '-ttt', '-T', '-y', '-s', '1000', '-e', `trace=${calls}`];
  return {
    command: ['strace', ...options, '-o', join(directory, 'thread')],
    order: (steps) =>
      readdirSync(directory)
        .flatMap((file) => readFileSync(join(directory, file), 'utf8').split('\n').flatMap(callIn))
        .sort((a, b) => a.counts - b.counts)
        .flatMap(({ text }) => Object.keys(steps).filter((step) => steps[step]?.test(text)))
        .filter((step, index, all) => step !== all[index - 1]),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  };
}

/** A line as `1795291200.123456 fsync(19</tmp/mail>) = 0 <0.000210>`. */
function callIn(line: string): SystemCall[] {
  const [, begun = '', text, taken = ''] = /^(\d+\.\d+) (.*) <(\d+\.\d+)>$/.exec(line) ?? [];
  if (text === undefined) return [];
  const isSent = /^(write|sendto)/.test(text);
  return [{ text, counts: Number(begun) + (isSent ? 0 : Number(taken)) }];
}
