import type { DeliveryAttemptRow, OutboxRow } from '../database/tables.ts';
import { describeError, type Log } from '../platform/log.ts';
import { deliveryAttempts } from '../platform/metrics.ts';

/** A delivery that this instance has claimed until its lease ends. */
export interface LeasedDelivery extends Pick<OutboxRow, 'id' | 'leadId' | 'kind' | 'target' | 'attempts'> {
  readonly leasedUntil: string;
}

/**
 * How an attempt ended, in the words of metrics and log. `delivered`: the receiver took it. `skipped`:
 * deliberately not sent. `failed`: to be retried. `dead`: failed without a retry, because none is left or could succeed.
 */
export type DeliveryOutcome = 'delivered' | 'skipped' | 'failed' | 'dead';

/** What the database stores for each outcome: the state of the delivery, and the outcome of the attempt. */
export const storedAs = {
  delivered: { state: 'done', outcome: 'delivered' },
  skipped: { state: 'skipped', outcome: 'skipped' },
  failed: { state: 'pending', outcome: 'failed' },
  dead: { state: 'dead', outcome: 'failed' },
} as const satisfies Record<DeliveryOutcome, Pick<OutboxRow, 'state'> & Pick<DeliveryAttemptRow, 'outcome'>>;

export interface AttemptResult extends Pick<DeliveryAttemptRow, 'status' | 'answer'> {
  readonly outcome: DeliveryOutcome;
  /** The answer if it is the service's own text, so that the log may contain it. */
  readonly reason?: string;
  /** Milliseconds for which the receiver asks the service to wait before the next attempt. */
  readonly retryAfter?: number | undefined;
}

/** Sends a delivery, or skips it. The signal aborts the sending. */
export type Send = (signal: AbortSignal) => Promise<AttemptResult>;

/** Reads what a delivery sends. Rejects only if the database is unavailable, which is no failure of the receiver. */
export type ResolveJob = (delivery: LeasedDelivery) => Promise<Send>;

/** A delivery after an attempt. `nextAttemptAt` is the end of the last attempt if there will be no other. */
export interface FinishedAttempt
  extends
    AttemptResult,
    Pick<DeliveryAttemptRow, 'startedAt' | 'latencyMs'>,
    Pick<OutboxRow, 'attempts' | 'nextAttemptAt'> {
  readonly delivery: LeasedDelivery;
}

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
 * Makes one attempt and decides the next state of the delivery. Sends nothing, and resolves with undefined, if less than half of
 * the lease is left: the process was paused, or the database was slow. Rejects only if the database is unavailable.
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
  // `next` overrides the outcome of `result`.
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
const maxRetryDelay = Math.max(...retryDelays) * (1 + jitter);

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

export function delivered(answer: string, status: number | null = null): AttemptResult {
  return { outcome: 'delivered', status, answer: storableAnswer(answer) };
}

export function skipped(reason: string): AttemptResult {
  return { outcome: 'skipped', status: null, answer: reason, reason };
}

/** @param permanent whether a retry cannot succeed */
export function failed(answer: string, status: number | null = null, permanent = false): AttemptResult {
  return { outcome: permanent ? 'dead' : 'failed', status, answer: storableAnswer(answer) };
}

/** A failure without an answer of the receiver. @param reason contains no text of a visitor or receiver */
export function unanswered(reason: string): AttemptResult {
  const answer = storableAnswer(reason);
  return { ...failed(answer), reason: answer };
}

/** Code or name of an error. Omits the message, because it may quote personal data. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Aborts an attempt at its timeout, in milliseconds, or when the service interrupts it. */
export function limitAttempt(timeout: number, interruption: AbortSignal): AbortSignal {
  return AbortSignal.any([interruption, AbortSignal.timeout(timeout)]);
}

export function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

const maxAnswerLength = 1_000;
/** An e-mail address, also percent-encoded or quoted-printable. */
const address = /[^\s<>"(),;:{}[\]]*(?:@|%40|=40)[^\s<>"(),;:{}[\]]*/gi;

/** The start of an answer on one line, without e-mail addresses, so that it can be stored. */
export function storableAnswer(answer: string): string {
  // More than is stored, because the replacements shorten the text. The limit bounds their time.
  return answer
    .slice(0, 4 * maxAnswerLength)
    .replaceAll(address, '[address]')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\s]+/gu, ' ')
    .trim()
    .slice(0, maxAnswerLength);
}
