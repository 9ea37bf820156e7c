import type { Context, Middleware } from 'koa';
import { describeError, type Log } from '../platform/log.ts';
import { refusedRequests } from '../platform/metrics.ts';
import { HttpError, problemType, unexpected } from './errors.ts';

const problemMediaType = 'application/problem+json';

/** Renders an error page if the request expects one, and returns whether it did. */
export type ShowError = (ctx: Context, error: HttpError) => boolean;

/**
 * Shapes every error response. It is a page if `showError` renders one, or a problem document (RFC 9457) if the Accept
 * header lists that type. Otherwise it is the message as text/plain.
 */
export function errorAnswers(log: Log, showError: ShowError): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const expected = thrown instanceof HttpError;
      if (!expected) log.error('unexpected error', { error: describeError(thrown) });
      const error = expected ? thrown : unexpected(thrown);
      refusedRequests.inc({ cause: error.id });
      answer(ctx, error, showError);
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
    type: problemType(id),
    title,
    status,
    detail: message,
    ...(fieldErrors && { errors: fieldErrors }),
  };
}
