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
export function createDeliveryWorker(queue: OutboxQueue, filter: DeliveryFilter, context: AttemptContext) {
  const { clock, log } = context;
  const wakeSignal = createWakeSignal();
  const inFlight = new Set<Promise<void>>();
  let isStopping = false;
  /** Whether a query has failed since the last successful claim. */
  let isFailing = false;
  /** Deliveries that were made, but not recorded before their lease ended. They are only recorded under the next one. */
  const unrecorded = new Map<string, FinishedAttempt>();

  /** Claims nothing if the database is unavailable. */
  async function claim(max: number): Promise<readonly LeasedDelivery[]> {
    try {
      const claimed = await queue.claim(filter, max, clock());
      if (isFailing) log.info('deliveries resumed');
      isFailing = false;
      return claimed;
    } catch (error) {
      noteFailure(error);
      return [];
    }
  }

  async function attempt(delivery: LeasedDelivery): Promise<void> {
    const made = unrecorded.get(delivery.id);
    // After an error, nothing was sent. An instance claims the delivery again when its lease ends.
    const finished = made
      ? { ...made, delivery }
      : await attemptDelivery(delivery, context).catch(noteFailure);
    if (finished !== undefined) await record(finished);
  }

  /** Retries until the lease ends or the worker stops, because another instance sends a delivery without a recorded result again. */
  async function record(finished: FinishedAttempt): Promise<undefined> {
    const { delivery, outcome } = finished;
    if (outcome === 'delivered') unrecorded.set(delivery.id, finished);
    const leaseEnd = Date.parse(delivery.leasedUntil);
    for (;;) {
      try {
        await queue.record(finished);
        unrecorded.delete(delivery.id);
        return;
      } catch (error) {
        noteFailure(error);
        if (isStopping || clock().getTime() >= leaseEnd) return;
        await setTimeout(recordInterval);
      }
    }
  }

  /** Logs only the first error in a row, and an unavailable database as a warning, because the store logs it as an error. */
  function noteFailure(error: unknown): undefined {
    if (isFailing) return;
    isFailing = true;
    const reason = queue.unavailability(error);
    if (reason === undefined) log.error('deliveries paused', { error: describeError(error) });
    else log.warn('deliveries paused', { reason });
  }

  return {
    /** Wakes the worker, because there may be new deliveries. */
    notify: wakeSignal.notify,
    /** Stops claiming deliveries. `run` resolves when those in flight, or just being claimed, have ended. */
    stop() {
      isStopping = true;
      wakeSignal.notify();
    },
    /** Claims and sends until `stop`. Waits for a notification or the next poll when no more deliveries are due. */
    async run(): Promise<void> {
      while (!isStopping) {
        const free = concurrency - inFlight.size;
        if (free === 0) {
          await Promise.race(inFlight);
          // Attempts are recorded in batches, so several end at once. Wait for all of them before the next claim.
          await setImmediate();
          continue;
        }
        const claimed = await claim(free);
        for (const delivery of claimed) {
          const attempting = attempt(delivery).finally(() => inFlight.delete(attempting));
          inFlight.add(attempting);
        }
        if (claimed.length < free) await wakeSignal.wait(pollInterval);
      }
      await Promise.all(inFlight);
    },
  };
}

/** A wake-up signal. A `notify()` without a waiter makes the next `wait()` return at once. */
function createWakeSignal() {
  let notification = new AbortController();
  return {
    notify: () => notification.abort(),
    /** Resolves at the next `notify()`, or after `timeout` milliseconds. */
    async wait(timeout: number): Promise<void> {
      await setTimeout(timeout, undefined, { signal: notification.signal }).catch(() => undefined);
      notification = new AbortController();
    },
  };
}
