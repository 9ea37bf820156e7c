import { describeError, type Log } from '../platform/log.ts';
import { deliveryAttempts } from '../platform/metrics.ts';
import {
  type AttemptResult,
  type DeliveryOutcome,
  failureReason,
  type LeasedDelivery,
  type ResolveJob,
  type Send,
  unanswered,
} from './attempt-result.ts';
import type { FinishedAttempt } from './outbox-queue.ts';

export interface AttemptContext {
  readonly resolveJob: ResolveJob;
  readonly clock: () => Date;
  readonly log: Log;
  /** Milliseconds of a lease. An attempt begins in its first half and takes at most the other half. */
  readonly lease: number;
  /** Aborts when the stop timeout of the service is over. */
  readonly interruption: AbortSignal;
}

/**
 * Makes one attempt and decides the next state of the delivery. Resolves with undefined, and sends nothing, if too little of
 * the lease is left, because the process was stopped or the database was slow. Rejects only if the database is unavailable.
 */
export async function attemptDelivery(
  delivery: LeasedDelivery,
  { resolveJob, clock, log, lease, interruption }: AttemptContext,
): Promise<FinishedAttempt | undefined> {
  const startedAt = clock().toISOString();
  const begun = performance.now();
  const send = await resolveJob(delivery);
  if (clock().getTime() > Date.parse(delivery.leasedUntil) - lease / 2) {
    log.warn('a delivery was not begun in time, it waits for its next lease', { delivery: delivery.id });
    return undefined;
  }
  const result = await sendSafely(send, interruption, log);
  const latencyMs = Math.round(performance.now() - begun);
  const next = nextStep(delivery.attempts, result, clock().getTime(), interruption.aborted);

  const { id, leadId, kind, target } = delivery;
  const { outcome, attempts } = next;
  deliveryAttempts.observe({ kind, outcome }, latencyMs / 1_000);
  const details = {
    delivery: id,
    lead: leadId,
    kind,
    target: target === '' ? undefined : target,
    status: result.status ?? undefined,
    reason: result.reason,
    latencyMs,
  };
  if (isFailure(outcome)) log.warn(`delivery ${outcome}`, { ...details, attempt: attempts });
  else log.info(`delivery ${outcome}`, details);
  return { delivery, startedAt, latencyMs, ...result, ...next };
}

/** Turns an exception into a failed attempt, so that a bug does not bypass retries and dead letters. */
async function sendSafely(send: Send, signal: AbortSignal, log: Log): Promise<AttemptResult> {
  try {
    return await send(signal);
  } catch (error) {
    log.error('could not send', { error: describeError(error) });
    return unanswered(`Unexpected error: ${failureReason(error)}`);
  }
}

/**
 * The state of a delivery after an attempt. A failed attempt is retried after a delay, or later if the receiver wants that,
 * unless no retry is left.
 *
 * @param attempts number of earlier attempts
 * @param interrupted whether the service aborted the attempt
 */
function nextStep(
  attempts: number,
  { outcome, retryAfter = 0 }: AttemptResult,
  now: number,
  interrupted: boolean,
): Pick<FinishedAttempt, 'outcome' | 'attempts' | 'nextAttemptAt'> {
  const at = new Date(now).toISOString();
  // Does not count as an attempt, because the receiver did not cause the failure. Another instance retries at once.
  if (interrupted && isFailure(outcome)) return { outcome: 'failed', attempts, nextAttemptAt: at };
  const counted = { outcome, attempts: attempts + 1, nextAttemptAt: at };
  if (outcome !== 'failed') return counted;
  const delay = retryDelay(counted.attempts, Math.random());
  if (delay === undefined) return { ...counted, outcome: 'dead' };
  const wait = Math.max(delay, Math.min(retryAfter, maxRetryDelay));
  return { ...counted, nextAttemptAt: new Date(now + wait).toISOString() };
}

function isFailure(outcome: DeliveryOutcome): boolean {
  return outcome === 'failed' || outcome === 'dead';
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Back-off after each failed attempt, in milliseconds. In total nearly two days. */
export const retryDelays: readonly number[] = [
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
  20 * hour,
];

/** Spreads the retries of simultaneous failures. Small enough that each delay exceeds the previous one. */
const jitter = 0.15;

/** Upper limit of a retry delay, in milliseconds. */
export const maxRetryDelay = Math.max(...retryDelays) * (1 + jitter);

/**
 * Milliseconds until the next attempt, or undefined if no retries are left.
 *
 * @param attempts number of failed attempts
 * @param random from 0 to 1
 */
export function retryDelay(attempts: number, random: number): number | undefined {
  const delay = retryDelays[attempts - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - jitter + 2 * jitter * random));
}
