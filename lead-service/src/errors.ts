import type { FieldFault } from './submission.ts';

interface AnswerableErrorOptions {
  readonly id: string;
  readonly status: number;
  readonly title: string;
  /** One sentence that a visitor may read. */
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly faults?: readonly FieldFault[];
  readonly cause?: unknown;
}

/** An error that knows its answer. Everything else that is thrown is answered as {@link unexpected}. */
export class AnswerableError extends Error {
  override readonly name = 'AnswerableError';
  /** Stable: callers may rely on it. */
  readonly id: string;
  readonly status: number;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly faults: readonly FieldFault[] | undefined;

  constructor({ id, status, title, detail, headers = {}, faults, cause }: AnswerableErrorOptions) {
    super(detail, { cause });
    this.id = id;
    this.status = status;
    this.title = title;
    this.headers = headers;
    this.faults = faults;
  }
}

export function malformedBody(): AnswerableError {
  return new AnswerableError({
    id: 'malformed-body',
    status: 400,
    title: 'Malformed body',
    detail: 'The request body must be a JSON object.',
  });
}

export function malformedIdempotencyKey(): AnswerableError {
  return new AnswerableError({
    id: 'malformed-idempotency-key',
    status: 400,
    title: 'Malformed idempotency key',
    detail: 'The Idempotency-Key must be a text of 1 to 255 characters in double quotes.',
  });
}

export function foreignOrigin(): AnswerableError {
  return new AnswerableError({
    id: 'foreign-origin',
    status: 403,
    title: 'Foreign origin',
    detail: 'This form can only be sent from our own site.',
  });
}

export function unknownPath(): AnswerableError {
  return new AnswerableError({
    id: 'unknown-path',
    status: 404,
    title: 'Unknown path',
    detail: 'There is nothing at this address.',
  });
}

export function methodNotAllowed(allowed: readonly string[]): AnswerableError {
  const list = allowed.join(', ');
  return new AnswerableError({
    id: 'method-not-allowed',
    status: 405,
    title: 'Method not allowed',
    detail: `This address only answers ${list}.`,
    headers: { Allow: list },
  });
}

export function inFlight(): AnswerableError {
  return new AnswerableError({
    id: 'in-flight',
    status: 409,
    title: 'In flight',
    detail: 'Your request is being sent already. Please wait a moment.',
    headers: { 'Retry-After': '1' },
  });
}

export function bodyTooLarge(limitInBytes: number): AnswerableError {
  return new AnswerableError({
    id: 'body-too-large',
    status: 413,
    title: 'Body too large',
    detail: `The message is too long: at most ${limitInBytes / 1024} kB can be sent.`,
  });
}

export function notJson(): AnswerableError {
  return new AnswerableError({
    id: 'not-json',
    status: 415,
    title: 'Not JSON',
    detail: 'The request body must be sent as application/json.',
    headers: { Accept: 'application/json, application/x-www-form-urlencoded' },
  });
}

export function invalidLead(faults: readonly FieldFault[]): AnswerableError {
  return new AnswerableError({
    id: 'invalid-lead',
    status: 422,
    title: 'Invalid lead',
    detail: `${faults.map(({ message }) => message).join('; ')}.`,
    faults,
  });
}

export function keyReused(): AnswerableError {
  return new AnswerableError({
    id: 'key-reused',
    status: 422,
    title: 'Idempotency key reused',
    detail: 'Something else was sent under this Idempotency-Key before. Send it again under a new one.',
  });
}

export function tooManyLeads(secondsLeft: number): AnswerableError {
  const minutes = Math.ceil(secondsLeft / 60);
  return new AnswerableError({
    id: 'too-many-leads',
    status: 429,
    title: 'Too many leads',
    detail: `Too many requests have come from your network. Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    headers: { 'Retry-After': String(secondsLeft) },
  });
}

export function malformedReport(): AnswerableError {
  return new AnswerableError({
    id: 'malformed-report',
    status: 422,
    title: 'Malformed report',
    detail: 'The report is not one that this service understands.',
  });
}

export function tooManyReports(secondsLeft: number): AnswerableError {
  return new AnswerableError({
    id: 'too-many-reports',
    status: 429,
    title: 'Too many reports',
    detail: 'Too many reports have come from your address. Please send no more for now.',
    headers: { 'Retry-After': String(secondsLeft) },
  });
}

export function unexpected(cause: unknown): AnswerableError {
  return new AnswerableError({
    id: 'unexpected',
    status: 500,
    title: 'Unexpected error',
    detail: 'Something went wrong on our side. Please try again later.',
    cause,
  });
}

export function storeUnavailable(): AnswerableError {
  return new AnswerableError({
    id: 'store-unavailable',
    status: 503,
    title: 'Store unavailable',
    detail: 'We could not save your request just now. Please try again in a minute.',
    headers: { 'Retry-After': '30' },
  });
}
