import { describeError, type Log } from '../log.ts';
import type { DeliveryKind } from '../store/tables.ts';
import type { FinishedAttempt } from './outbox-queue.ts';
import { retryDelay } from './retry-schedule.ts';
import { failed, failureReason, type LeasedDelivery, type Prepare, type SendResult } from './send-result.ts';

/** `failed`: will be tried again. `dead`: was given up. */
export type AttemptOutcome = 'delivered' | 'skipped' | 'failed' | 'dead';

/** Is told of every attempt and how many seconds it took. For metrics. */
export type DeliveryObserver = (kind: DeliveryKind, outcome: AttemptOutcome, seconds: number) => void;

export interface AttemptContext {
  readonly prepare: Prepare;
  readonly clock: () => Date;
  readonly log: Log;
  readonly observe: DeliveryObserver;
  /** Aborted when the service cannot wait any longer. */
  readonly interruption: AbortSignal;
}

/** Makes one attempt and says what becomes of the delivery. Rejects only when the database does not answer. */
export async function attemptDelivery(
  delivery: LeasedDelivery,
  { prepare, clock, log, observe, interruption }: AttemptContext,
): Promise<FinishedAttempt> {
  const startedAt = clock().toISOString();
  const begun = performance.now();
  const prepared = await prepare(delivery);
  const result =
    prepared.kind === 'skip'
      ? ({ kind: 'skipped', status: null, answer: prepared.reason } as const)
      : await sendSafely(prepared.send, interruption, log);
  const latencyMs = Math.round(performance.now() - begun);

  const next = nextStep(delivery, result, clock().getTime(), interruption.aborted);
  const outcome: AttemptOutcome =
    result.kind === 'failed' ? (next.state === 'dead' ? 'dead' : 'failed') : result.kind;
  observe(delivery.kind, outcome, latencyMs / 1_000);
  const { id, leadId, kind, target } = delivery;
  const where = target === '' ? {} : { target };
  const facts = { delivery: id, lead: leadId, kind, ...where, status: result.status ?? undefined, latencyMs };
  if (result.kind === 'failed') log.warn(`delivery ${outcome}`, { ...facts, attempt: next.attempts });
  else log.info(`delivery ${outcome}`, facts);
  const { status, answer } = result;
  return { delivery, attempt: { startedAt, latencyMs, outcome: result.kind, status, answer }, next };
}

type AttemptResult =
  SendResult | { readonly kind: 'skipped'; readonly status: null; readonly answer: string };

/** A mistake of ours must not keep a delivery from being tried again, nor from ever being given up. */
async function sendSafely(
  send: (signal: AbortSignal) => Promise<SendResult>,
  signal: AbortSignal,
  log: Log,
): Promise<SendResult> {
  try {
    return await send(signal);
  } catch (error) {
    log.error('could not send', { error: describeError(error) });
    return failed(`Unexpected: ${failureReason(error)}`);
  }
}

function nextStep(
  { attempts }: LeasedDelivery,
  result: AttemptResult,
  now: number,
  interrupted: boolean,
): FinishedAttempt['next'] {
  const at = new Date(now).toISOString();
  if (result.kind !== 'failed') {
    const state = result.kind === 'delivered' ? 'done' : 'skipped';
    return { state, attempts: attempts + 1, nextAttemptAt: at, finishedAt: at };
  }
  // Broken off by ourselves: that is not held against it.
  if (interrupted) return { state: 'pending', attempts, nextAttemptAt: at, finishedAt: null };
  const delay = result.permanent ? undefined : retryDelay(attempts + 1, Math.random());
  return delay === undefined
    ? { state: 'dead', attempts: attempts + 1, nextAttemptAt: at, finishedAt: at }
    : {
        state: 'pending',
        attempts: attempts + 1,
        nextAttemptAt: new Date(now + delay).toISOString(),
        finishedAt: null,
      };
}
