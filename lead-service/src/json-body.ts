import type { Middleware } from 'koa';
import { malformedBody, notJson } from './errors.ts';
import { textBody } from './text-body.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

const jsonType = 'application/json';
const readJson = textBody(jsonType, notJson);

/** Reads a JSON body of at most 16 kB, for {@link expectObject}. */
export const jsonBody: Middleware = (ctx, next) => {
  if (ctx.is(jsonType) === false) throw notJson();
  return readJson(ctx, next);
};

/** A body that {@link jsonBody} has read, if it is an object. */
export function expectObject(body: unknown): JsonObject {
  const value = parse(body);
  if (!isObject(value)) throw malformedBody();
  return value;
}

function parse(body: unknown): unknown {
  if (typeof body !== 'string') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    // The parser's own error quotes the body.
    return undefined;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
