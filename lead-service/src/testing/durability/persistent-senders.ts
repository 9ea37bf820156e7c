import { EventEmitter, once } from 'node:events';
import { sendLead } from '../send-lead.ts';

/** Milliseconds. A running service acknowledges a lead sooner on any machine. */
const maxWait = 300_000;

/** A lead with a unique message, by which the test finds it among the stored ones. */
interface Sent {
  readonly message: string;
  readonly idempotencyKey: string;
}

/**
 * Clients that send one lead after another. A client without an answer resends its lead later with the same key, like the
 * form.
 */
export class PersistentSenders {
  /** Messages of all acknowledged leads. */
  readonly acknowledged = new Set<string>();
  /** All other answers. Expected to be empty. */
  readonly refusals: string[] = [];
  readonly #unanswered: Sent[] = [];
  readonly #acknowledgements = new EventEmitter();
  #count = 0;

  /** Sends with this concurrency until the service is gone. */
  async sendUntilGone(url: string, senders: number): Promise<void> {
    await Promise.all(
      Array.from({ length: senders }, async () => {
        while (await this.#send(url, this.#unanswered.shift() ?? this.#next()));
      }),
    );
  }

  /** Resolves at the next acknowledged lead. Rejects after a timeout. */
  async nextAcknowledgement(): Promise<void> {
    await once(this.#acknowledgements, 'received', { signal: AbortSignal.timeout(maxWait) });
  }

  /** Resends all unanswered leads to a service that stays up. */
  async sendRest(url: string): Promise<void> {
    for (const sent of this.#unanswered.splice(0)) await this.#send(url, sent);
  }

  #next(): Sent {
    this.#count += 1;
    return { message: `This is message number ${this.#count}.`, idempotencyKey: `"number ${this.#count}"` };
  }

  /** Returns whether the service has answered. */
  async #send(url: string, sent: Sent): Promise<boolean> {
    try {
      const headers = { 'idempotency-key': sent.idempotencyKey };
      const answer = await sendLead({ url }, { message: sent.message }, { headers });
      if (answer.status === 201 || answer.status === 202) {
        this.acknowledged.add(sent.message);
        this.#acknowledgements.emit('received');
      } else this.refusals.push(`${answer.status} ${await answer.text()}`);
      // Ignores the body, because the status already acknowledges the lead.
      await answer.body?.cancel().catch(() => undefined);
      return true;
    } catch {
      this.#unanswered.push(sent);
      return false;
    }
  }
}
