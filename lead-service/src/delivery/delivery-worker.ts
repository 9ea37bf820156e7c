import { setImmediate, setTimeout } from 'node:timers/promises';
import { describeError } from '../platform/log.ts';
import { createLoop } from '../platform/loop.ts';
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
export const concurrency = 8;

/**
 * Claims the due deliveries of one receiver and sends them, a few at a time. Each receiver has its own worker, so that a slow
 * one blocks no other.
 */
export function createDeliveryWorker(queue: OutboxQueue, filter: DeliveryFilter, context: AttemptContext) {
  const { clock, log } = context;
  const inFlight = new Set<Promise<void>>();
  /** Whether a query has failed since the last one that wrote, or since all attempts were recorded. */
  let isFailing = false;
  /** Deliveries that were made, but not recorded before their lease ended. They are only recorded under the next one. */
  const unrecorded = new Map<string, FinishedAttempt>();

  async function attempt(delivery: LeasedDelivery, stopping: AbortSignal): Promise<void> {
    const made = unrecorded.get(delivery.id);
    if (made !== undefined) return record({ ...made, delivery }, stopping);
    // After an error, nothing was sent. An instance claims the delivery again when its lease ends.
    const finished = await attemptDelivery(delivery, context).catch(noteFailure);
    if (finished !== undefined) await record(finished, stopping);
  }

  /** Retries until the lease ends or the worker stops, because another instance sends a delivery without a recorded result again. */
  async function record(finished: FinishedAttempt, stopping: AbortSignal): Promise<undefined> {
    const { delivery, outcome } = finished;
    if (outcome === 'delivered') unrecorded.set(delivery.id, finished);
    const leaseEnd = Date.parse(delivery.leasedUntil);
    for (;;) {
      try {
        await queue.record(finished);
        unrecorded.delete(delivery.id);
        noteSuccess();
        return;
      } catch (error) {
        noteFailure(error);
        if (stopping.aborted || clock().getTime() >= leaseEnd) return;
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

  function noteSuccess(): void {
    if (isFailing) log.info('deliveries resumed');
    isFailing = false;
  }

  /** Claims and sends. Waits for a notification or the next poll when no more deliveries are due. */
  const loop = createLoop(async (stopping) => {
    if (inFlight.size === concurrency) {
      await Promise.race(inFlight);
      // Attempts are recorded in batches, so several end at once. Wait for all of them before the next claim.
      await setImmediate();
      if (stopping.aborted) return 0;
    }
    const free = concurrency - inFlight.size;
    const claimed = await queue.claim(filter, free, clock()).catch(noteFailure);
    if (claimed === undefined) return pollInterval;
    // A claim that finds nothing only reads. An attempt that cannot be recorded is still in flight.
    if (inFlight.size === 0) noteSuccess();
    for (const delivery of claimed) {
      const attempting = attempt(delivery, stopping).finally(() => inFlight.delete(attempting));
      inFlight.add(attempting);
    }
    return claimed.length < free ? pollInterval : 0;
  });
  return {
    start: loop.start,
    /** Wakes the worker, because there may be new deliveries. */
    notify: loop.wake,
    /** Stops claiming deliveries. Resolves when those in flight, or just being claimed, have ended. */
    async stop(): Promise<void> {
      await loop.stop();
      await Promise.all(inFlight);
    },
  };
}
