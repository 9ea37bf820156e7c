import { AnswerableError } from '../errors.ts';

/** @param detail what is wrong and what to do, quoting nothing that a visitor typed */
export function invalidRequest(detail: string): AnswerableError {
  return new AnswerableError({ id: 'invalid-request', status: 422, title: 'Invalid request', detail });
}

export function unknownLead(): AnswerableError {
  return new AnswerableError({
    id: 'unknown-lead',
    status: 404,
    title: 'Unknown lead',
    detail: 'There is no lead with this id. Look it up in the list.',
  });
}

export function erasedLead(): AnswerableError {
  return new AnswerableError({
    id: 'erased-lead',
    status: 409,
    title: 'Erased lead',
    detail: 'This lead has been erased and cannot be changed.',
  });
}

export function notQuarantined(): AnswerableError {
  return new AnswerableError({
    id: 'not-quarantined',
    status: 409,
    title: 'Not in quarantine',
    detail: 'This lead is not in quarantine, so there is nothing to release.',
  });
}
