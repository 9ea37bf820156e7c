import { ExplainedError } from '../platform/explained-error.ts';
import type { FieldError, RefusalKind } from '../platform/refusal.ts';

interface ErrorKind {
  readonly status: number;
  readonly title: string;
  /** For the client. A refusal brings its own text. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The errors by their ids, which are stable, because clients may depend on them. */
const kinds = {
  'unknown-lead': { status: 404, title: 'Unknown lead' },
  'not-quarantined': { status: 409, title: 'Not in quarantine' },
  'invalid-lead': { status: 422, title: 'Invalid lead' },
  'invalid-request': { status: 422, title: 'Invalid request' },
  'key-reused': { status: 422, title: 'Idempotency key reused' },
  'malformed-report': { status: 422, title: 'Malformed report' },
  // In seconds. For that long, an instance without a place for a lead is not ready.
  'store-unavailable': { status: 503, title: 'Store unavailable', headers: { 'Retry-After': '60' } },
  'malformed-body': {
    status: 400,
    title: 'Malformed body',
    text: 'The request body must be a JSON object.',
  },
  'malformed-idempotency-key': {
    status: 400,
    title: 'Malformed idempotency key',
    text: 'The Idempotency-Key must be a text of 1 to 255 characters in double quotes.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    headers: { 'WWW-Authenticate': 'Bearer' },
    text: 'Send a known token as "Authorization: Bearer …".',
  },
  /** For the forms of the public site. The inbox has `forged-form`. */
  'foreign-origin': {
    status: 403,
    title: 'Foreign origin',
    text: 'This form can only be sent from our own site.',
  },
  'missing-scope': { status: 403, title: 'Missing scope' },
  'forged-form': {
    status: 403,
    title: 'Forged form',
    text: 'This form was not sent from the inbox. Open the inbox at its own address, and check that its proxy passes on Host.',
  },
  'needs-tls': {
    status: 403,
    title: 'Needs TLS',
    text: 'The inbox is only served over https. Open it at an address that begins with https://.',
  },
  'unknown-path': { status: 404, title: 'Unknown path', text: 'There is nothing at this address.' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'body-too-large': { status: 413, title: 'Body too large' },
  'not-json': {
    status: 415,
    title: 'Not JSON',
    text: 'The request body must be sent as application/json.',
  },
  'too-many-leads': { status: 429, title: 'Too many leads' },
  'too-many-reports': { status: 429, title: 'Too many reports' },
  'too-many-failed-logins': {
    status: 429,
    title: 'Too many failed logins',
    text: 'Too many logins from your address have failed. Check the token, and try again later.',
  },
  unexpected: {
    status: 500,
    title: 'Unexpected error',
    text: 'Something went wrong on our side. Please try again later.',
  },
  /** For the inbox and the counts of page reports, which need the database. */
  'database-away': {
    status: 503,
    title: 'Database unavailable',
    headers: { 'Retry-After': '60' },
    text: 'The database does not answer just now. Please try again in a minute.',
  },
} satisfies Record<RefusalKind, ErrorKind> & Record<string, ErrorKind>;

type ErrorId = keyof typeof kinds;

interface ErrorDetails {
  /** For the client, in place of the text of the kind. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fieldErrors?: readonly FieldError[] | undefined;
  readonly cause?: unknown;
}

/** An error with its HTTP response. */
export class HttpError extends ExplainedError {
  override readonly name = 'HttpError';
  readonly id: ErrorId;
  readonly status: number;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fieldErrors: readonly FieldError[] | undefined;

  constructor(id: ErrorId, { text, headers, fieldErrors, cause }: ErrorDetails = {}) {
    const kind: ErrorKind = kinds[id];
    super(text ?? kind.text, { cause });
    this.id = id;
    this.status = kind.status;
    this.title = kind.title;
    this.headers = { ...kind.headers, ...headers };
    this.fieldErrors = fieldErrors;
  }
}

/** The source of a streamed response body, such as an export, failed after the response had begun. The cause is the failure. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
}
