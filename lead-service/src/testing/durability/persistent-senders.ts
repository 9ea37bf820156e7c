import { EventEmitter, once } from 'node:events';
import { sampleLead } from '../testing/sample-lead.ts';

/** Milliseconds. A service that is up thanks sooner on any machine. */
const longestWait = 60_000;

/** A lead and how its sender knows it again. The message is its own, so that it is found among the stored ones. */
interface Sent {
  readonly message: string;
  readonly idempotencyKey: string;
}

/**
 * People who send one lead after the other. Whoever gets no answer sends the same again later, under the same key, as
 * the form does.
 */
export class PersistentSenders {
  /** Message of each lead whose sender was thanked. */
  readonly acknowledged = new Set<string>();
  /** Every other answer, which there should be none of. */
  readonly refusals: string[] = [];
  readonly #unanswered: Sent[] = [];
  readonly #thanks = new EventEmitter();
  #count = 0;

  /** That many send at once, until the service is gone. */
  async sendUntilGone(url: string, senders: number): Promise<void> {
    await Promise.all(
      Array.from({ length: senders }, async () => {
        while (await this.#send(url, this.#unanswered.shift() ?? this.#next()));
      }),
    );
  }

  /** Resolves when the next lead is acknowledged. Rejects when nobody is thanked any more. */
  async nextThanks(): Promise<void> {
    await once(this.#thanks, 'received', { signal: AbortSignal.timeout(longestWait) });
  }

  /** What was never answered is sent to a service that stays. */
  async sendRest(url: string): Promise<void> {
    for (const sent of this.#unanswered.splice(0)) await this.#send(url, sent);
  }

  #next(): Sent {
    this.#count += 1;
    return { message: `This is message number ${this.#count}.`, idempotencyKey: `"number ${this.#count}"` };
  }

  /** Returns whether there was an answer. */
  async #send(url: string, sent: Sent): Promise<boolean> {
    try {
      const answer = await fetch(`${url}/api/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': sent.idempotencyKey },
        body: JSON.stringify({ ...sampleLead, message: sent.message }),
      });
      if (answer.status === 201 || answer.status === 202) {
        this.acknowledged.add(sent.message);
        this.#thanks.emit('received');
      } else this.refusals.push(`${answer.status} ${await answer.text()}`);
      // Whether the rest of the answer arrives makes no difference to who was thanked.
      await answer.body?.cancel().catch(() => undefined);
      return true;
    } catch {
      this.#unanswered.push(sent);
      return false;
    }
  }
}
