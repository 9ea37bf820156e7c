import {
  bodyTooLarge,
  foreignOrigin,
  inFlight,
  invalidLead,
  keyReused,
  malformedBody,
  malformedIdempotencyKey,
  malformedReport,
  methodNotAllowed,
  notJson,
  storeUnavailable,
  tooManyLeads,
  tooManyReports,
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
  malformedReport(),
  tooManyLeads(60),
  tooManyReports(60),
  unexpected(undefined),
  storeUnavailable(),
];

/** Those that only what comes to the address of a lead can run into. */
export const leadErrors = errorCatalogue.filter(
  ({ id }) => !/^(unknown-path|method-not-allowed|malformed-report|too-many-reports)$/.test(id),
);

/** Those that everything that takes JSON can run into. */
export const bodyErrors = errorCatalogue.filter(({ id }) =>
  /^(malformed-body|body-too-large|not-json)$/.test(id),
);

/** Those that what comes to the address of reports can run into. */
export const reportErrors = errorCatalogue.filter(({ id }) =>
  /^(malformed-body|foreign-origin|body-too-large|not-json|malformed-report|too-many-reports|unexpected)$/.test(
    id,
  ),
);

/** Those that a browser runs into that asks whether a script may send a lead: it may not. */
export const preflightErrors = errorCatalogue.filter(({ id }) => id === 'method-not-allowed');
