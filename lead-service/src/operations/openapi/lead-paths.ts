import { formTokenPath, idempotencyKeyHeader, leadPath, leadTypes } from '@countersign/contracts/lead';
import { leadErrors, preflightErrors } from './error-catalogue.ts';
import { errorResponses, jsonResponse, requestIdHeader, textHeader } from './responses.ts';
import { refer, type Json } from './schemas.ts';

const acceptedHeaders = {
  'RateLimit-Policy': textHeader('How much one address and one network may send.'),
  RateLimit: textHeader('How much of that is left.'),
  'Idempotency-Replayed': {
    description: 'There is a "true" in the answer to a repetition.',
    schema: { const: 'true' },
  },
};

const idempotencyKey = {
  name: idempotencyKeyHeader,
  in: 'header',
  description:
    'Makes a repetition harmless: a text of 1 to 255 characters in double quotes, new for each lead.',
  schema: { type: 'string' },
};

/** What is sent to by the form. */
export function leadPaths(): Json {
  const entries = leadTypes.flatMap((type) => [
    [leadPath(type), { post: sendLead(type), options: askFirst(`send-${type}`) }],
    [`${leadPath(type)}/thanks`, { get: showThanks(type) }],
  ]);
  return {
    ...Object.fromEntries(entries),
    [formTokenPath]: { get: openForm, options: askFirst('open-form') },
  };
}

function sendLead(type: string): Json {
  return {
    operationId: `send-${type}`,
    summary: `Takes a lead of the type ${type}.`,
    description:
      'It is durably stored before it is answered. A repetition is answered as the first time, and stores nothing.',
    parameters: [idempotencyKey],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: refer('LeadSubmission') },
        'application/x-www-form-urlencoded': { schema: refer('LeadSubmission') },
      },
    },
    responses: {
      201: jsonResponse('Stored.', 'LeadAccepted', acceptedHeaders),
      202: jsonResponse(
        'Stored on one machine, while the shared database is away.',
        'LeadAccepted',
        acceptedHeaders,
      ),
      303: {
        description: 'Stored; for a form that a browser sends by itself.',
        headers: { ...requestIdHeader, Location: { schema: { type: 'string' } } },
      },
      ...errorResponses(leadErrors),
    },
  };
}

function showThanks(type: string): Json {
  return {
    operationId: `thank-for-${type}`,
    summary: 'The page after a form that a browser has sent by itself.',
    description: 'The answer to such a form leads here, so that reloading the page sends nothing again.',
    responses: {
      200: {
        description: 'A page.',
        headers: requestIdHeader,
        content: { 'text/html': { schema: { type: 'string' } } },
      },
    },
  };
}

const openForm: Json = {
  operationId: 'open-form',
  summary: 'A token for a form that is being opened.',
  description: 'A form without one is still taken.',
  responses: { 200: jsonResponse('Good for one day.', 'FormToken') },
};

const permissions = {
  'Access-Control-Allow-Origin': textHeader('The site that asks.'),
  'Access-Control-Allow-Methods': textHeader('What it may send.'),
  'Access-Control-Allow-Headers': textHeader('Headers that it may send with it.'),
  'Access-Control-Expose-Headers': textHeader('Headers of the answer that it may read.'),
  'Access-Control-Max-Age': textHeader('Seconds for which its visitors need not ask again.'),
};

/** @param operationId of what is asked about */
function askFirst(operationId: string): Json {
  return {
    operationId: `ask-to-${operationId}`,
    summary: 'What a browser asks before a script of another site sends something (CORS).',
    description: 'Only origins in ALLOWED_ORIGINS are let through.',
    responses: {
      204: {
        description: 'The site is one of those that may.',
        headers: { ...requestIdHeader, ...permissions },
      },
      ...errorResponses(preflightErrors),
    },
  };
}
