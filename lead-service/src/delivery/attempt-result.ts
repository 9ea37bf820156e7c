import type { DeliveryAttemptRow } from '../database/tables.ts';

export interface AttemptResult extends Pick<DeliveryAttemptRow, 'status' | 'answer'> {
  /**
   * How an attempt ended, in the words of metrics and log. `delivered`: the receiver took it. `failed`: to be
   * retried. `dead`: failed without a retry, because none is left or could succeed.
   */
  readonly outcome: 'delivered' | 'failed' | 'dead';
  /** The answer if it is the service's own text, so that the log may contain it. */
  readonly reason?: string;
  /** Milliseconds for which the receiver asks the service to wait before the next attempt. */
  readonly retryAfter?: number | undefined;
}

export function delivered(answer: string, status: number | null = null): AttemptResult {
  return { outcome: 'delivered', status, answer: storableAnswer(answer) };
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
