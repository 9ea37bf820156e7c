import { setImmediate, setTimeout } from 'node:timers/promises';
import { describeError } from '../platform/log.ts';
import {
  type AttemptContext,
  attemptDelivery,
  type FinishedAttempt,
  type LeasedDelivery,
} from './attempt-delivery.ts';
import type { DeliveryFilter, OutboxQueue } from './outbox-queue.ts';

/** Milliseconds between polls for deliveries that other instances stored, and for retries that are due. */
const pollInterval = 1_000;
/** Milliseconds between attempts to record a result. */
const recordInterval = 1_000;
/** Maximum number of deliveries in flight. */
const concurrency = 8;

/**
 * Claims the due deliveries of one receiver and sends them, a few at a time. Each receiver has its own worker, so that a slow
 * one blocks no other.
 */
export class DeliveryWorker {
  readonly #queue: OutboxQueue;
  readonly #filter: DeliveryFilter;
  readonly #context: AttemptContext;
  readonly #wakeSignal = new WakeSignal();
  readonly #inFlight = new Set<Promise<void>>();
  #stopping = false;
  /** Whether a query has failed since the last successful claim. */
  #isFailing = false;

  constructor(queue: OutboxQueue, filter: DeliveryFilter, context: AttemptContext) {
    this.#queue = queue;
    this.#filter = filter;
    this.#context = context;
  }

  /** Wakes the worker, because there may be new deliveries. */
  notify(): void {
    this.#wakeSignal.notify();
  }

  /** Stops claiming deliveries. {@link run} resolves when those in flight have ended. */
  stop(): void {
    this.#stopping = true;
    this.#wakeSignal.notify();
  }

  /** Claims and sends until {@link stop}. Waits for a notification or the next poll when no more deliveries are due. */
  async run(): Promise<void> {
    while (!this.#stopping) {
      const free = concurrency - this.#inFlight.size;
      if (free === 0) {
        await Promise.race(this.#inFlight);
        // Attempts are recorded in batches, so several end at once. Wait for all of them before the next claim.
        await setImmediate();
        continue;
      }
      const claimed = await this.#claim(free);
      for (const delivery of claimed) this.#start(delivery);
      if (claimed.length < free) await this.#wakeSignal.wait(pollInterval);
    }
    await Promise.all(this.#inFlight);
  }

  /** Claims nothing if the database is unavailable. Releases the claimed deliveries if the worker was stopped meanwhile. */
  async #claim(max: number): Promise<readonly LeasedDelivery[]> {
    try {
      const claimed = await this.#queue.claim(this.#filter, max, this.#context.clock());
      if (this.#isFailing) this.#context.log.info('deliveries resumed');
      this.#isFailing = false;
      if (!this.#stopping) return claimed;
      await this.#queue.release(claimed);
    } catch (error) {
      this.#noteFailure(error);
    }
    return [];
  }

  #start(delivery: LeasedDelivery): void {
    const attempt = this.#attempt(delivery).finally(() => this.#inFlight.delete(attempt));
    this.#inFlight.add(attempt);
  }

  async #attempt(delivery: LeasedDelivery): Promise<void> {
    let finished: FinishedAttempt | undefined;
    try {
      finished = await attemptDelivery(delivery, this.#context);
    } catch (error) {
      // Nothing was sent. An instance claims the delivery again when its lease ends.
      this.#noteFailure(error);
      return;
    }
    if (finished !== undefined) await this.#record(finished);
  }

  /** Retries until the lease ends or the worker stops, because a delivery without a recorded result is sent again. */
  async #record(finished: FinishedAttempt): Promise<void> {
    const leaseEnd = Date.parse(finished.delivery.leasedUntil);
    for (;;) {
      try {
        await this.#queue.record(finished);
        return;
      } catch (error) {
        this.#noteFailure(error);
        if (this.#stopping || this.#context.clock().getTime() >= leaseEnd) return;
        await setTimeout(recordInterval);
      }
    }
  }

  /** Logs only the first error in a row, and an unavailable database as a warning, because the store logs it as an error. */
  #noteFailure(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const reason = this.#queue.unavailability(error);
    if (reason === undefined) this.#context.log.error('deliveries paused', { error: describeError(error) });
    else this.#context.log.warn('deliveries paused', { reason });
  }
}

/** A wake-up signal. A `notify()` without a waiter makes the next `wait()` return at once. */
class WakeSignal {
  #notified = false;
  #waiting = new AbortController();

  notify(): void {
    this.#notified = true;
    this.#waiting.abort();
  }

  /** Resolves at the next `notify()`, or after `timeout` milliseconds. */
  async wait(timeout: number): Promise<void> {
    this.#waiting = new AbortController();
    const { signal } = this.#waiting;
    if (!this.#notified) await setTimeout(timeout, undefined, { signal }).catch(() => undefined);
    this.#notified = false;
  }
}
