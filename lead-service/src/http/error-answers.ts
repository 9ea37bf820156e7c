import type { Context, Middleware } from 'koa';
import { Refusal } from '../platform/refusal.ts';
import { HttpError } from './errors.ts';

const problemMediaType = 'application/problem+json';

/** Renders an error page if the request expects one, and returns whether it did. */
export type ShowError = (ctx: Context, error: HttpError) => boolean;

/** An error with its HTTP response. An error that is neither a refusal nor one of HTTP is unexpected. */
function httpErrorOf(thrown: unknown): HttpError {
  if (thrown instanceof HttpError) return thrown;
  if (!(thrown instanceof Refusal)) return new HttpError('unexpected', { cause: thrown });
  const { kind, message: text, fieldErrors } = thrown;
  return new HttpError(kind, { text, fieldErrors, cause: thrown });
}

/**
 * Shapes every error response, and passes the error on to `app.on('error')`. The response is a page if `showError` renders one, or a
 * problem document (RFC 9457) if the Accept header lists that type. Otherwise it is the message as text/plain.
 */
export function errorAnswers(showError: ShowError): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = httpErrorOf(thrown);
      answer(ctx, error, showError);
      ctx.app.emit('error', error, ctx);
    }
  };
}

function answer(ctx: Context, error: HttpError, showError: ShowError): void {
  ctx.status = error.status;
  // A refused login must not begin a session.
  ctx.remove('Set-Cookie');
  ctx.set(error.headers);
  ctx.vary('Accept');
  if (showError(ctx, error)) return;
  if (ctx.accepts().includes(problemMediaType)) {
    ctx.body = problem(error);
    ctx.set('Content-Type', problemMediaType);
  } else {
    ctx.type = 'text/plain';
    ctx.body = error.message;
  }
}

function problem({ id, title, status, message, fieldErrors }: HttpError): object {
  return {
    type: `urn:problem-type:lead-service:${id}`,
    title,
    status,
    detail: message,
    ...(fieldErrors && { errors: fieldErrors }),
  };
}
