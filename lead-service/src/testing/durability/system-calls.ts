import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installProgram } from '../install-program.ts';

/** Traces the system calls of processes. */
export function watchSystemCalls() {
  if (!installProgram('strace')) {
    throw new Error('strace is missing and could not be installed. Install strace.');
  }
  const directory = mkdtempSync(join(tmpdir(), 'lead-service-trace-'));
  const calls = 'fsync,fdatasync,pwrite64,read,write,writev';
  // One file per thread, because calls of two threads interleave in a common one. Times are in microseconds.
  const options = ['-ff', '-ttt', '-T', '-y', '-s', '1000', '-e', `trace=${calls}`];
  return {
    /** The `strace` command, to be followed by the traced command, or by further options. */
    command: ['strace', ...options, '-o', join(directory, 'thread')],
    /**
     * The order of steps across all threads. `write` and `writev` count from their start, when a receiver may have the data, and all
     * other calls from their end, when they have taken effect. Consecutive repetitions appear once.
     *
     * @param steps a pattern for the call of each step, with arguments and result
     */
    order: (steps: Readonly<Record<string, RegExp>>) =>
      readdirSync(directory)
        .flatMap((file) => readFileSync(join(directory, file), 'utf8').split('\n').flatMap(callIn))
        .sort((a, b) => a.time - b.time)
        .flatMap(({ text }) => Object.keys(steps).filter((step) => steps[step]?.test(text)))
        .filter((step, index, all) => step !== all[index - 1]),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  };
}

/** Parses a line such as `1795291200.123456 fsync(19</tmp/mail>) = 0 <0.000210>`. The time is comparable across threads. */
function callIn(line: string) {
  const [, begun = '', text, taken = ''] = /^(\d+\.\d+) (.*) <(\d+\.\d+)>$/.exec(line) ?? [];
  if (text === undefined) return [];
  const countsFromStart = /^write/.test(text);
  return [{ text, time: Number(begun) + (countsFromStart ? 0 : Number(taken)) }];
}
