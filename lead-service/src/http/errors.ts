import { defineError } from './http-error.ts';

/* The errors of HTTP itself: status, id, title and text for the client. Those of the domain are refusals. */

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

export const methodNotAllowed = defineError(405, 'method-not-allowed', 'Method not allowed', {
  detail: (allowed: readonly string[]) => `This address only answers ${allowed.join(', ')}.`,
  headers: { Allow: (allowed) => allowed.join(', ') },
});

export const bodyTooLarge = defineError(413, 'body-too-large', 'Body too large', {
  detail: (limitInBytes: number) => `The message is too long: at most ${limitInBytes / 1024} kB can be sent.`,
});

export const notJson = defineError(415, 'not-json', 'Not JSON', {
  detail: 'The request body must be sent as application/json.',
  headers: { Accept: 'application/json, application/x-www-form-urlencoded' },
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

/** For the inbox and the counts of page reports, which need the database. */
export const databaseUnavailable = defineError(503, 'database-away', 'Database unavailable', {
  detail: 'The database does not answer just now. Please try again in a minute.',
  headers: { 'Retry-After': '30' },
  cause: (thrown: unknown) => thrown,
});
