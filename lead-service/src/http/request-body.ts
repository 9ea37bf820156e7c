import type { Context, Middleware } from 'koa';
import { koaBody } from 'koa-body';
import { bodyTooLarge, malformedBody, notJson } from './errors.ts';

const jsonType = 'application/json';
const formType = 'application/x-www-form-urlencoded';
/** Enough for the longest fields of a lead in every encoding: a form without script sends up to 12 bytes for a character. */
const limitInBytes = 64 * 1024;

const readJson = textBody(jsonType);
const readForm = textBody(formType);

/** Reads a JSON body of at most 64 kB as text, for {@link jsonObject}. */
export const jsonBody: Middleware = async (ctx, next) => {
  // `null` without a body, which `jsonObject` then refuses.
  if (ctx.is(jsonType) === false) throw notJson();
  await readJson(ctx, next);
};

/** Reads a JSON or form body of at most 64 kB as text, for {@link jsonObject} or {@link formFields}. */
export const jsonOrFormBody: Middleware = async (ctx, next) => {
  await (isForm(ctx) ? readForm : jsonBody)(ctx, next);
};

/** Whether the request is a native form submission, without a script. */
export function isForm(ctx: Context): boolean {
  return ctx.request.type.trim().toLowerCase() === formType;
}

/** The JSON object in the body. Throws if it is JSON of another kind, or no JSON. */
export function jsonObject(ctx: Context): object {
  const value = jsonValue(ctx);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformedBody();
  return value;
}

/** Form fields as an object; the first value of each name wins. Converts CR LF, which forms use, to LF. */
export function formFields(ctx: Context): Readonly<Record<string, string>> {
  const { body } = ctx.request;
  const fields = [...new URLSearchParams(typeof body === 'string' ? body : '')].toReversed();
  return Object.fromEntries(fields.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]));
}

/** The JSON in the body; `undefined` if it is none. */
function jsonValue(ctx: Context): unknown {
  const { body } = ctx.request;
  if (typeof body !== 'string') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    // Drops the parser's error, because its message quotes the body.
    return undefined;
  }
}

/** Reads a body of this type as text into `ctx.request.body`. */
function textBody(type: string): Middleware {
  return koaBody({
    json: false,
    urlencoded: false,
    text: true,
    textTypes: [type],
    textLimit: limitInBytes,
    onError(error, ctx) {
      // Drains the rest of the body, which would otherwise block the connection.
      ctx.req.resume();
      // Drops the parser's error, because its message quotes the body. It has 415 for an unknown `Content-Encoding`, not for a type.
      const status = 'status' in error ? error.status : undefined;
      if (status === 413) throw bodyTooLarge(limitInBytes);
      throw status === 415 ? notJson() : malformedBody();
    },
  });
}
