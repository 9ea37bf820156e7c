import type { DeliveryKind, LeadRow, OutboxRow } from '../database/tables.ts';
import { describeError, type Log } from '../platform/log.ts';
import { deliveryAttempts } from '../platform/event-metrics.ts';
import { uuidV7 } from '../platform/uuid-v7.ts';
import { type AttemptResult, failureReason, unanswered } from './attempt-result.ts';
import { maxRetryDelay, retryDelay } from './retry-schedule.ts';

/** A delivery that this instance has claimed until its lease ends. */
export interface LeasedDelivery extends Pick<OutboxRow, 'id' | 'leadId' | 'kind' | 'target' | 'attempts'> {
  readonly leasedUntil: string;
}

/** Sends a lead, as the delivery says. The signal aborts the sending. */
export type SendLead = (
  delivery: LeasedDelivery,
  lead: LeadRow,
  signal: AbortSignal,
) => Promise<AttemptResult>;

/** A delivery after an attempt. `nextAttemptAt` is the end of the last attempt if there will be no other. */
export type FinishedAttempt = NonNullable<Awaited<ReturnType<typeof attemptDelivery>>>;

export interface AttemptContext {
  /** Undefined if the lead was erased. Rejects only if the database is unavailable, which is no failure of the receiver. */
  readonly readLead: (id: string) => Promise<LeadRow | undefined>;
  readonly senders: Readonly<Record<DeliveryKind, SendLead>>;
  readonly clock: () => Date;
  readonly log: Log;
  /** Milliseconds of a lease. An attempt begins in its first half and takes at most the other half. */
  readonly lease: number;
  /** Aborts when the stop timeout of the service is over. */
  readonly interruption: AbortSignal;
}

/**
 * Makes one attempt and decides the next state of the delivery. Sends nothing, and resolves with undefined, if its lead was erased or put
 * into quarantine, or if less than half of the lease is left: the process was paused, or the database was slow. Rejects only if the
 * database is unavailable.
 */
export async function attemptDelivery(
  delivery: LeasedDelivery,
  { readLead, senders, clock, log, lease, interruption }: AttemptContext,
) {
  const { id, leadId, kind, target } = delivery;
  const which = { delivery: id, lead: leadId };
  const startedAt = clock().toISOString();
  const begun = performance.now();
  const lead = await readLead(leadId);
  // Held after the claim. Its delivery has lost this lease.
  if (lead === undefined || lead.quarantinedAt !== null) return undefined;
  if (clock().getTime() > Date.parse(delivery.leasedUntil) - lease / 2) {
    log.warn('a delivery was not begun in time, it waits for its next lease', which);
    return undefined;
  }
  let result: AttemptResult;
  try {
    result = await senders[kind](delivery, lead, interruption);
  } catch (error) {
    // A bug must not bypass retries and dead letters.
    log.error('could not send', { ...which, error: describeError(error) });
    result = unanswered(`Unexpected error: ${failureReason(error)}`);
  }
  const latencyMs = Math.round(performance.now() - begun);
  const next = nextStep(delivery.attempts, result, clock().getTime(), interruption.aborted);
  const { outcome, attempts } = next;
  deliveryAttempts.observe({ kind, outcome }, latencyMs / 1_000);
  const details = {
    ...which,
    kind,
    target: target === '' ? undefined : target,
    status: result.status ?? undefined,
    reason: result.reason,
    latencyMs,
  };
  if (outcome !== 'delivered') log.warn(`delivery ${outcome}`, { ...details, attempt: attempts });
  else log.info(`delivery ${outcome}`, details);
  // `next` overrides the outcome of `result`.
  return { attemptId: uuidV7(Date.parse(startedAt)), delivery, startedAt, latencyMs, ...result, ...next };
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
): Pick<AttemptResult, 'outcome'> & Pick<OutboxRow, 'attempts' | 'nextAttemptAt'> {
  const at = new Date(now).toISOString();
  // Does not count as an attempt, because the receiver did not cause the failure. Another instance retries at once.
  if (interrupted && outcome !== 'delivered') return { outcome: 'failed', attempts, nextAttemptAt: at };
  const counted = { outcome, attempts: attempts + 1, nextAttemptAt: at };
  if (outcome !== 'failed') return counted;
  const delay = retryDelay(counted.attempts, Math.random());
  if (delay === undefined) return { ...counted, outcome: 'dead' };
  const wait = Math.max(delay, Math.min(retryAfter, maxRetryDelay));
  return { ...counted, nextAttemptAt: new Date(now + wait).toISOString() };
}

/** Aborts an attempt at its timeout, in milliseconds, or when the service interrupts it. */
export function limitAttempt(timeout: number, interruption: AbortSignal): AbortSignal {
  return AbortSignal.any([interruption, AbortSignal.timeout(timeout)]);
}

export function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}
