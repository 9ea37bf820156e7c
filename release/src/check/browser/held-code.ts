import { setTimeout as delay } from 'node:timers/promises';
import { remoteNames } from '@countersign/contracts/remotes';

/** Paths of the code of remotes, alone and in the entry bundle. */
const codeOfRemotes = new RegExp(`^/(?:(?:${remoteNames.join('|')})/.*|entries\\.\\w+)\\.js$`);
/** Milliseconds for which the code of remotes is held back at most. After five seconds, the shell would ask for it again. */
const longestHold = 4_000;

/** The code of the remotes, while it is held back from a visitor who acts before it has come. */
export class HeldCode {
  /** The event for which requests of it wait. */
  #held: PromiseWithResolvers<undefined> | undefined;

  /** Holds back the code, until {@link release} is called or a time is over. */
  hold(): void {
    this.release();
    this.#held = Promise.withResolvers();
    void delay(longestHold, undefined, { ref: false }).then(this.#held.resolve);
  }

  /** Waits while a path is held back. */
  async wait(pathname: string): Promise<void> {
    if (codeOfRemotes.test(pathname)) await this.#held?.promise;
  }

  /** Lets the code come. Returns whether it was held back. */
  release(): boolean {
    const held = this.#held;
    this.#held = undefined;
    held?.resolve(undefined);
    return held !== undefined;
  }
}
