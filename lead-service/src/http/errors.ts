import type * as z from 'zod/mini';

/** A validation error of one field, worded for the visitor. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

interface ErrorKind {
  /** Stable, because clients may depend on it. */
  readonly id: string;
  readonly status: number;
  readonly title: string;
}

interface ErrorContent {
  /** A message for the visitor. */
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fieldErrors?: readonly FieldError[] | undefined;
  readonly cause?: unknown;
}

/** An expected error with its HTTP response. All other errors become `unexpected`. */
export class HttpError extends Error implements ErrorKind {
  override readonly name = 'HttpError';
  readonly id: string;
  readonly status: number;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fieldErrors: readonly FieldError[] | undefined;

  constructor({ id, status, title }: ErrorKind, { detail, headers, fieldErrors, cause }: ErrorContent) {
    super(detail, { cause });
    this.id = id;
    this.status = status;
    this.title = title;
    this.headers = headers;
    this.fieldErrors = fieldErrors;
  }
}

/** The source of a streamed response body, such as an export, failed after the response had begun. The cause is the failure. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
}

interface ErrorTexts<Input> {
  /** A message for the visitor. */
  readonly detail: string | ((input: Input) => string);
  readonly headers?: Readonly<Record<string, string | ((input: Input) => string)>>;
  readonly fieldErrors?: (input: Input) => readonly FieldError[];
  readonly cause?: (input: Input) => unknown;
}

/** Creates errors of one kind. */
export type DefinedError<Input = void> = (input: Input) => HttpError;

/** @template Input argument of the created function, on which text, headers, field errors and cause may depend */
function defineError<Input = void>(
  status: number,
  id: string,
  title: string,
  { detail, headers = {}, fieldErrors, cause }: ErrorTexts<Input>,
): DefinedError<Input> {
  const kind = { id, status, title };
  return (input) => {
    const textOf = (text: string | ((input: Input) => string)) =>
      typeof text === 'string' ? text : text(input);
    return new HttpError(kind, {
      detail: textOf(detail),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, textOf(value)])),
      fieldErrors: fieldErrors?.(input),
      cause: cause?.(input),
    });
  };
}

/** The `type` URN of an error in a problem document (RFC 9457). Stable, like the error id. */
export function problemType(id: string): string {
  return `urn:problem-type:lead-service:${id}`;
}

/** Parses with a schema whose messages are sentences for the caller. Throws the error that `invalid` makes of all of them. */
export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  invalid: DefinedError<readonly FieldError[]> = invalidRequest,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw invalid(error.issues.map(({ path, message }) => ({ field: path.join('.'), message })));
}

/* All errors that the service answers: status, id, title and text for the caller. */

export const malformedBody = defineError(400, 'malformed-body', 'Malformed body', {
  detail: 'The request body must be a JSON object.',
});

export const malformedIdempotencyKey = defineError(
  400,
  'malformed-idempotency-key',
  'Malformed idempotency key',
  {
    detail: 'The Idempotency-Key must be a text of 1 to 255 characters in double quotes.',
  },
);

export const unauthorized = defineError(401, 'unauthorized', 'Unauthorized', {
  detail: 'Send a known token as "Authorization: Bearer …".',
  headers: { 'WWW-Authenticate': 'Bearer' },
});

/** For the forms of the public site. The inbox has {@link forgedForm}. */
export const foreignOrigin = defineError(403, 'foreign-origin', 'Foreign origin', {
  detail: 'This form can only be sent from our own site.',
});

export const missingScope = defineError(403, 'missing-scope', 'Missing scope', {
  detail: (scope: string) => `This needs a token with the scope "${scope}".`,
});

export const forgedForm = defineError(403, 'forged-form', 'Forged form', {
  detail:
    'This form was not sent from the inbox, or it was open for too long. Go back, reload the page and try again.',
});

export const needsTls = defineError(403, 'needs-tls', 'Needs TLS', {
  detail: 'The inbox is only served over https. Open it at an address that begins with https://.',
});

export const unknownPath = defineError(404, 'unknown-path', 'Unknown path', {
  detail: 'There is nothing at this address.',
});

export const unknownLead = defineError(404, 'unknown-lead', 'Unknown lead', {
  detail: 'There is no lead with this id. Look it up in the list.',
});

export const methodNotAllowed = defineError(405, 'method-not-allowed', 'Method not allowed', {
  detail: (allowed: readonly string[]) => `This address only answers ${allowed.join(', ')}.`,
  headers: { Allow: (allowed) => allowed.join(', ') },
});

export const inFlight = defineError(409, 'in-flight', 'In flight', {
  detail: 'Your request is being sent already. Please wait a moment.',
  headers: { 'Retry-After': '1' },
});

export const notQuarantined = defineError(409, 'not-quarantined', 'Not in quarantine', {
  detail: 'This lead is not in quarantine, so there is nothing to release.',
});

export const bodyTooLarge = defineError(413, 'body-too-large', 'Body too large', {
  detail: (limitInBytes: number) => `The message is too long: at most ${limitInBytes / 1024} kB can be sent.`,
});

export const notJson = defineError(415, 'not-json', 'Not JSON', {
  detail: 'The request body must be sent as application/json.',
  headers: { Accept: 'application/json, application/x-www-form-urlencoded' },
});

export const invalidLead = defineError(422, 'invalid-lead', 'Invalid lead', {
  detail: (fieldErrors: readonly FieldError[]) => `${fieldErrors.map(({ message }) => message).join('; ')}.`,
  fieldErrors: (fieldErrors) => fieldErrors,
});

export const keyReused = defineError(422, 'key-reused', 'Idempotency key reused', {
  detail: 'Something else was sent under this Idempotency-Key before. Send it again under a new one.',
});

/** Created with the problem and its remedy, without user text, or with the errors of a schema that names both. */
export const invalidRequest = defineError(422, 'invalid-request', 'Invalid request', {
  detail: (problem: string | readonly FieldError[]) =>
    typeof problem === 'string' ? problem : (problem[0]?.message ?? ''),
});

export const malformedReport = defineError<unknown>(422, 'malformed-report', 'Malformed report', {
  detail: 'The report is not one that this service understands.',
});

export const tooManyLeads = defineError(429, 'too-many-leads', 'Too many leads', {
  detail: (secondsLeft: number) => {
    const minutes = Math.ceil(secondsLeft / 60);
    return `Too many requests have come from your network. Please try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
  },
  headers: { 'Retry-After': (secondsLeft) => String(secondsLeft) },
});

export const tooManyReports = defineError(429, 'too-many-reports', 'Too many reports', {
  detail: 'Too many reports have come from your network. Please send no more for now.',
  headers: { 'Retry-After': (secondsLeft: number) => String(secondsLeft) },
});

export const tooManyFailedLogins = defineError(429, 'too-many-failed-logins', 'Too many failed logins', {
  detail: 'Too many logins from your address have failed. Check the token, and try again later.',
  headers: { 'Retry-After': (secondsLeft: number) => String(secondsLeft) },
});

export const unexpected = defineError(500, 'unexpected', 'Unexpected error', {
  detail: 'Something went wrong on our side. Please try again later.',
  cause: (thrown: unknown) => thrown,
});

/** For visitors: neither the database nor the spool took the lead. */
export const storeUnavailable = defineError(503, 'store-unavailable', 'Store unavailable', {
  detail: 'We could not save your request just now. Please try again in a minute.',
  headers: { 'Retry-After': '30' },
});

/** For the inbox and the counts of page reports, which need the database. */
export const databaseUnavailable = defineError(503, 'database-away', 'Database unavailable', {
  detail: 'The database does not answer just now. Please try again in a minute.',
  headers: { 'Retry-After': '30' },
  cause: (thrown: unknown) => thrown,
});
