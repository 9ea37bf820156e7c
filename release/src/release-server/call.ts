import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { CallEvent } from './call-messages.ts';
import { hidePaths, type PathNames } from './hide-paths.ts';

/** Characters of output. */
const maxOutput = 16_000_000;

/** A call in its process, with all that it has printed. */
export class Call {
  readonly caller: string;
  readonly goesOn: boolean;
  /** Resolves when the result is there. */
  readonly ended: Promise<void>;
  endedAt = Infinity;
  isForgotten = false;
  /** Characters of output. */
  size = 0;
  readonly #process: ChildProcess;
  readonly #pathNames: PathNames;
  #events: CallEvent[] = [];
  #change = Promise.withResolvers<undefined>();
  #followers = 0;

  constructor(caller: string, goesOn: boolean, process: ChildProcess, pathNames: PathNames) {
    this.caller = caller;
    this.goesOn = goesOn;
    this.#process = process;
    this.#pathNames = pathNames;
    this.ended = this.#collect();
  }

  /**
   * What the call prints, from one of its events on; ends with its result. A client has one connection, so the newest follower
   * replaces the one before.
   */
  async *follow(from: number): AsyncGenerator<CallEvent> {
    this.#followers += 1;
    const follower = this.#followers;
    this.#notify();
    for (let next = from; ; next += 1) {
      while (next >= this.#events.length) {
        if (this.endedAt !== Infinity || follower !== this.#followers) return;
        await this.#change.promise;
      }
      if (follower !== this.#followers) return;
      const event = this.#events[next];
      if (event) yield event;
    }
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#process.kill(signal);
  }

  /** Drops the output. */
  forget(): void {
    this.isForgotten = true;
    this.#events = [];
    this.size = 0;
  }

  async #collect(): Promise<void> {
    let stdout = '';
    const fits = (text: string) => (this.size += text.length) <= maxOutput;
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (fits(text)) stdout += text;
    });
    // In lines, because a path could be in two pieces.
    const lines = this.#process.stderr && createInterface({ input: this.#process.stderr });
    lines?.on('line', (line) => {
      if (fits(line)) this.#add({ progress: `${hidePaths(line, this.#pathNames)}\n` });
    });
    await once(this.#process, 'close').catch(() => undefined);
    const { exitCode } = this.#process;
    const isCut = this.size > maxOutput;
    if (isCut) {
      this.#add({ progress: 'The call prints more than the release server can keep. The rest is lost.\n' });
    }
    if (exitCode === null) {
      this.#add({
        progress:
          'The call was ended on the release server. The change may be committed: run "status" before you repeat it.\n',
      });
    }
    this.endedAt = performance.now();
    this.#add({
      exitCode: isCut && exitCode === 0 ? 1 : (exitCode ?? 3),
      stdout: hidePaths(stdout, this.#pathNames),
    });
  }

  #add(event: CallEvent): void {
    this.#events.push(event);
    this.#notify();
  }

  #notify(): void {
    this.#change.resolve(undefined);
    this.#change = Promise.withResolvers();
  }
}
