import type { Context, Middleware, Next } from 'koa';
import { koaBody } from 'koa-body';
import { HttpError } from './errors.ts';

const jsonType = 'application/json';
const formType = 'application/x-www-form-urlencoded';

/** Reads a JSON body, for {@link jsonObject}. */
export const jsonBody = (limitInBytes: number) => readBody([jsonType], limitInBytes);

/**
 * Reads a JSON or form body, for {@link jsonObject} or {@link formFields}. 96 kB are enough for the longest lead: a form without script
 * sends up to 12 bytes for each of 7,654 characters of fields and consent. `request_buffers` of a proxy must be as large.
 */
export const jsonOrFormBody = readBody([jsonType, formType], 96 * 1024);

/** Whether the request is a native form submission, without a script. */
export function isForm(ctx: Context): boolean {
  return ctx.request.type.trim().toLowerCase() === formType;
}

/** The JSON object in the body. Throws if it is JSON of another kind. */
export function jsonObject({ request: { body } }: Context): object {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new HttpError('malformed-body');
  return body;
}

/** Form fields as an object. Converts CR LF, which forms use, to LF. */
export function formFields({ request: { body } }: Context): Readonly<Record<string, string>> {
  const fields = Object.entries<unknown>(typeof body === 'object' && body !== null ? body : {});
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value).replaceAll('\r\n', '\n')]));
}

function readBody(types: string[], limitInBytes: number): Middleware {
  const read: (ctx: Context, next: Next) => Promise<unknown> = koaBody({
    jsonTypes: [jsonType],
    jsonLimit: limitInBytes,
    formLimit: limitInBytes,
    text: false,
    // `jsonObject` refuses an empty body, which would be an empty object otherwise.
    jsonStrict: false,
    // Only names and texts. The first value of a name wins.
    queryString: { allowDots: false, depth: 0, parseArrays: false, duplicates: 'first' },
    onError(error, ctx) {
      // Drains the rest of the body, which would otherwise block the connection.
      ctx.req.resume();
      // Drops the parser's error, because its message quotes the body.
      switch ('status' in error && error.status) {
        case 413:
          throw new HttpError('body-too-large', {
            text: `The message is too long: at most ${limitInBytes / 1024} kB can be sent.`,
          });
        case 415:
          throw new HttpError('not-json', {
            text: 'The body has an unknown Content-Encoding. Send it without.',
          });
        default:
          throw new HttpError('malformed-body');
      }
    },
  });
  return (ctx, next) => {
    // `null` without a body, which `jsonObject` then refuses.
    if (ctx.is(types) === false) throw new HttpError('not-json', { headers: { Accept: types.join(', ') } });
    return read(ctx, next);
  };
}
