import {
  bodyTooLarge,
  foreignOrigin,
  inFlight,
  invalidLead,
  keyReused,
  malformedBody,
  malformedIdempotencyKey,
  methodNotAllowed,
  notJson,
  storeUnavailable,
  tooManyLeads,
  unexpected,
  unknownPath,
  type AnswerableError,
} from '../../errors.ts';

/** One of each error that `errors.ts` makes, in the order of their statuses. */
export const errorCatalogue: readonly AnswerableError[] = [
  malformedBody(),
  malformedIdempotencyKey(),
  foreignOrigin(),
  unknownPath(),
  methodNotAllowed(['POST']),
  inFlight(),
  bodyTooLarge(16 * 1024),
  notJson(),
  invalidLead([]),
  keyReused(),
  tooManyLeads(60),
  unexpected(undefined),
  storeUnavailable(),
];

/** Those that only what comes to the address of a lead can run into. */
export const leadErrors = errorCatalogue.filter(
  ({ id }) => id !== 'unknown-path' && id !== 'method-not-allowed',
);
