import type { Middleware } from 'koa';
import { koaBody } from 'koa-body';
import { bodyTooLarge, malformedBody, notJson } from './errors.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export const limitInBytes = 16 * 1024;

const parseJson = koaBody({
  jsonTypes: ['application/json'],
  jsonLimit: limitInBytes,
  // Strict would take an empty body for an empty object.
  jsonStrict: false,
  text: false,
  urlencoded: false,
  onError(error, ctx) {
    // Left unread, the rest of the body would block the connection.
    ctx.req.resume();
    throw bodyFault(error);
  },
});

/** Reads a JSON body of at most 16 kB into `ctx.request.body`. */
export const jsonBody: Middleware = (ctx, next) => {
  if (ctx.is('application/json') === false) throw notJson();
  return parseJson(ctx, next);
};

/** A body that {@link jsonBody} has read, if it is an object. */
export function expectObject(body: unknown): JsonObject {
  if (!isObject(body)) throw malformedBody();
  return body;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parser's own error is dropped: its message quotes the body. */
export function bodyFault(error: Error): Error {
  const status = 'status' in error ? error.status : undefined;
  if (status === 413) return bodyTooLarge(limitInBytes);
  if (status === 415) return notJson();
  return malformedBody();
}
