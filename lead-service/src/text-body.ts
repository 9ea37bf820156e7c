import type { Middleware } from 'koa';
import { koaBody } from 'koa-body';
import { bodyTooLarge, malformedBody, type AnswerableError } from './errors.ts';

const limitInBytes = 16 * 1024;

/**
 * Reads a body of at most 16 kB into `ctx.request.body`, as the text that it is.
 *
 * @param type the only content type that it reads
 * @param wrongType the answer to a body in an encoding that cannot be read
 */
export function textBody(type: string, wrongType: () => AnswerableError): Middleware {
  return koaBody({
    json: false,
    urlencoded: false,
    text: true,
    textTypes: [type],
    textLimit: limitInBytes,
    onError(error, ctx) {
      // Left unread, the rest of the body would block the connection.
      ctx.req.resume();
      // The parser's own error is dropped: its message quotes the body.
      const status = 'status' in error ? error.status : undefined;
      if (status === 413) throw bodyTooLarge(limitInBytes);
      throw status === 415 ? wrongType() : malformedBody();
    },
  });
}
