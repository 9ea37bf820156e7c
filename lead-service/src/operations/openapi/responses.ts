import type { AnswerableError } from '../../errors.ts';
import { problemType } from '../../problem-type.ts';
import { refer, type Json } from './schemas.ts';

const headerWords: Readonly<Record<string, string>> = {
  'Retry-After': 'Seconds to wait before the next attempt.',
  Allow: 'The methods that the address answers.',
  Accept: 'The type to send the body as.',
  'WWW-Authenticate': 'How to send a token.',
};

/** A header of an answer, and what is in it. */
export function textHeader(description: string): Json {
  return { description, schema: { type: 'string' } };
}

/** Is in every answer. */
export const requestIdHeader = { 'X-Request-Id': textHeader('Names the request in the log.') };

export function jsonResponse(description: string, schemaName: string, headers: Json = {}): Json {
  return {
    description,
    headers: { ...requestIdHeader, ...headers },
    content: { 'application/json': { schema: refer(schemaName) } },
  };
}

/** Responses by status: a sentence as plain text, or a problem document (RFC 9457) where `Accept` names its type. */
export function errorResponses(errors: readonly AnswerableError[]): Json {
  const byStatus = Map.groupBy(errors, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [String(status), errorResponse(group)] as const),
  );
}

function errorResponse(group: readonly AnswerableError[]): Json {
  const names = new Set(group.flatMap(({ headers }) => Object.keys(headers)));
  const headers = [...names].map((name) => [name, textHeader(headerWords[name] ?? name)]);
  return {
    description: group.map(({ id, title }) => `${title} (\`${id}\`)`).join(', or '),
    headers: { ...requestIdHeader, ...Object.fromEntries(headers) },
    content: {
      'text/plain': { schema: { type: 'string', minLength: 1 } },
      'application/problem+json': {
        schema: {
          allOf: [
            refer('Problem'),
            { type: 'object', properties: { type: { enum: group.map(({ id }) => problemType(id)) } } },
          ],
        },
      },
    },
  };
}
