import type { OutboxRow } from '../store/tables.ts';

/** A delivery that this instance has taken, until its lease ends. */
export interface LeasedDelivery extends Pick<OutboxRow, 'id' | 'leadId' | 'kind' | 'target' | 'attempts'> {
  readonly leasedUntil: string;
}

/** What came of an attempt. `answer` is what the other side said, or why it said nothing. */
export type SendResult =
  | { readonly kind: 'delivered'; readonly status: number | null; readonly answer: string }
  | {
      readonly kind: 'failed';
      /** Another attempt would fail in the same way. */
      readonly permanent: boolean;
      readonly status: number | null;
      readonly answer: string;
    };

/** Either a reason not to send it, or what sends it. Sending ends early when the signal says so. */
export type Prepared =
  | { readonly kind: 'skip'; readonly reason: string }
  | { readonly kind: 'send'; readonly send: (signal: AbortSignal) => Promise<SendResult> };

/** Looks up all that a delivery needs. Rejects only when the database does not answer, which is no fault of the other side. */
export type Prepare = (delivery: LeasedDelivery) => Promise<Prepared>;

export function delivered(answer: string, status: number | null = null): SendResult {
  return { kind: 'delivered', status, answer: keptAnswer(answer) };
}

export function failed(answer: string, status: number | null = null, permanent = false): SendResult {
  return { kind: 'failed', permanent, status, answer: keptAnswer(answer) };
}

/** Why something went wrong, for a person. A message that may quote what was sent is left out. */
export function failureReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

const longestAnswer = 1_000;
/** An e-mail address, also one that is written as in a URL or in quoted-printable. */
const address = /[^\s<>"(),;:{}[\]]*(?:@|%40|=40)[^\s<>"(),;:{}[\]]*/gi;

/** The beginning of an answer, fit to be kept: on one line, without e-mail addresses. */
export function keptAnswer(answer: string): string {
  return answer
    .slice(0, 4 * longestAnswer)
    .replaceAll(address, '[address]')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\s]+/gu, ' ')
    .trim()
    .slice(0, longestAnswer);
}
