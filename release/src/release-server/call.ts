import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { CallEvent } from './call-messages.ts';

/** Characters of output. */
const maxOutput = 4_000_000;

/** A call in its process, with all that it has printed. */
export class Call {
  readonly caller: string;
  readonly goesOn: boolean;
  /** Resolves when the result is there. */
  readonly ended: Promise<void>;
  readonly #process: ChildProcess;
  readonly #events: CallEvent[] = [];
  #hasEnded = false;
  #change = Promise.withResolvers<undefined>();

  constructor(caller: string, goesOn: boolean, process: ChildProcess) {
    this.caller = caller;
    this.goesOn = goesOn;
    this.#process = process;
    this.ended = this.#collect();
  }

  /** What the call prints, from one of its events on; ends with its result. */
  async *follow(from: number): AsyncGenerator<CallEvent> {
    for (let next = from; ; next += 1) {
      while (next >= this.#events.length) {
        if (this.#hasEnded) return;
        await this.#change.promise;
      }
      const event = this.#events[next];
      if (event) yield event;
    }
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#process.kill(signal);
  }

  async #collect(): Promise<void> {
    let stdout = '';
    let size = 0;
    const fits = (text: string) => (size += text.length) <= maxOutput;
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (fits(text)) stdout += text;
    });
    this.#process.stderr?.setEncoding('utf8').on('data', (progress: string) => {
      if (fits(progress)) this.#add({ progress });
    });
    await once(this.#process, 'close').catch(() => undefined);
    const { exitCode } = this.#process;
    const isCut = size > maxOutput;
    if (isCut) {
      this.#add({ progress: 'The call prints more than the release server can keep. The rest is lost.\n' });
    }
    if (exitCode === null) {
      this.#add({
        progress:
          'The call was ended on the release server. The change may be committed: run "status" before you repeat it.\n',
      });
    }
    this.#hasEnded = true;
    this.#add({ exitCode: isCut && exitCode === 0 ? 1 : (exitCode ?? 3), stdout });
  }

  #add(event: CallEvent): void {
    this.#events.push(event);
    this.#change.resolve(undefined);
    this.#change = Promise.withResolvers();
  }
}
