import { AnswerableError } from '../errors.ts';

export function unauthorized(): AnswerableError {
  return new AnswerableError({
    id: 'unauthorized',
    status: 401,
    title: 'Unauthorized',
    detail: 'Send a token that is known here, as "Authorization: Bearer …".',
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}

export function tooManyFailedLogins(secondsLeft: number): AnswerableError {
  return new AnswerableError({
    id: 'too-many-failed-logins',
    status: 429,
    title: 'Too many failed logins',
    detail: 'Too many logins from your address have failed. Check the token, and try again later.',
    headers: { 'Retry-After': String(secondsLeft) },
  });
}

export function missingScope(scope: string): AnswerableError {
  return new AnswerableError({
    id: 'missing-scope',
    status: 403,
    title: 'Missing scope',
    detail: `This needs a token with the scope "${scope}".`,
  });
}

export function forgedForm(): AnswerableError {
  return new AnswerableError({
    id: 'forged-form',
    status: 403,
    title: 'Forged form',
    detail:
      'This form was not sent from the inbox, or it was open for too long. Go back, reload the page and try again.',
  });
}

export function needsTls(): AnswerableError {
  return new AnswerableError({
    id: 'needs-tls',
    status: 403,
    title: 'Needs TLS',
    detail: 'The inbox is only served over https. Open it at an address that begins with https://.',
  });
}

export function databaseAway(cause: unknown): AnswerableError {
  return new AnswerableError({
    id: 'database-away',
    status: 503,
    title: 'Database away',
    detail: 'The database does not answer just now. Please try again in a minute.',
    headers: { 'Retry-After': '30' },
    cause,
  });
}
