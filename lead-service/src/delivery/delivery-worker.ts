import { setImmediate, setTimeout } from 'node:timers/promises';
import { describeError } from '../log.ts';
import { attemptDelivery, type AttemptContext } from './attempt-delivery.ts';
import { Doorbell } from './doorbell.ts';
import type { DeliveryFilter, FinishedAttempt, OutboxQueue } from './outbox-queue.ts';
import type { LeasedDelivery } from './send-result.ts';

/** How long it may take until this instance sees what another one has stored, or that something is due again. */
const pollInterval = 1_000;
const afterFailure = 1_000;
const mostAtOnce = 8;

/** Hands on one sort of delivery, a few at a time. What hangs in one lane holds up no other. */
export class DeliveryLane {
  readonly #queue: OutboxQueue;
  readonly #filter: DeliveryFilter;
  readonly #context: AttemptContext;
  readonly #bell = new Doorbell();
  readonly #inFlight = new Set<Promise<void>>();
  #stopping = false;
  #troubled = false;

  constructor(queue: OutboxQueue, filter: DeliveryFilter, context: AttemptContext) {
    this.#queue = queue;
    this.#filter = filter;
    this.#context = context;
  }

  nudge(): void {
    this.#bell.ring();
  }

  /** Takes nothing more. {@link run} resolves when what is in flight has ended. */
  stop(): void {
    this.#stopping = true;
    this.#bell.ring();
  }

  async run(): Promise<void> {
    while (!this.#stopping) {
      const free = mostAtOnce - this.#inFlight.size;
      if (free === 0) {
        await Promise.race(this.#inFlight);
        // Several end at once, as they are recorded together.
        await setImmediate();
        continue;
      }
      const claimed = await this.#claim(free);
      for (const delivery of claimed) this.#start(delivery);
      if (claimed.length < free) await this.#bell.sleep(pollInterval);
    }
    await Promise.all(this.#inFlight);
  }

  async #claim(most: number): Promise<readonly LeasedDelivery[]> {
    try {
      const claimed = await this.#queue.claim(this.#filter, most, this.#context.clock());
      if (this.#troubled) this.#context.log.info('deliveries go on');
      this.#troubled = false;
      if (!this.#stopping) return claimed;
      await this.#queue.release(claimed);
    } catch (error) {
      this.#noteTrouble(error);
    }
    return [];
  }

  #start(delivery: LeasedDelivery): void {
    const attempt = this.#attempt(delivery).finally(() => this.#inFlight.delete(attempt));
    this.#inFlight.add(attempt);
  }

  async #attempt(delivery: LeasedDelivery): Promise<void> {
    let finished: FinishedAttempt;
    try {
      finished = await attemptDelivery(delivery, this.#context);
    } catch (error) {
      // It was not even begun. Somebody takes it when its lease ends.
      this.#noteTrouble(error);
      return;
    }
    await this.#record(finished);
  }

  /** What has been sent and is not recorded will be sent again: that is worth some patience. */
  async #record(finished: FinishedAttempt): Promise<void> {
    const leaseEnd = Date.parse(finished.delivery.leasedUntil);
    for (;;) {
      try {
        await this.#queue.record(finished);
        return;
      } catch (error) {
        this.#noteTrouble(error);
        if (this.#stopping || this.#context.clock().getTime() >= leaseEnd) return;
        await setTimeout(afterFailure);
      }
    }
  }

  /** The store says itself that the database is away, and when. */
  #noteTrouble(error: unknown): void {
    if (!this.#troubled) this.#context.log.error('deliveries wait', { error: describeError(error) });
    this.#troubled = true;
  }
}
