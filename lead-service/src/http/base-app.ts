import { randomUUID } from 'node:crypto';
import Koa, { type Context, type Middleware } from 'koa';
import { currentRequest, describeError, type Log } from '../platform/log.ts';
import { refusedRequests } from '../platform/event-metrics.ts';
import { Refusal } from '../platform/refusal.ts';
import { HttpError, StreamError } from './errors.ts';

/** A request id from a client: short, and without characters that allow log injection or e-mail addresses. */
const validId = /^[\w-]{1,64}$/;

/** Renders an error page if the request expects one, and returns whether it did. */
type ShowError = (ctx: Context, error: HttpError) => boolean;

/** An app without routes: gives requests their ids, and answers all errors. */
export function createBase(log: Log, showError: ShowError): Koa {
  const app = new Koa();
  app.on('error', (error: unknown, ctx?: Context) => {
    if (error instanceof HttpError) {
      refusedRequests.inc({ cause: error.id });
      if (error.id === 'unexpected') log.error('unexpected error', { error: describeError(error.cause) });
      return;
    }
    // Errors after the response has begun, which no middleware can catch.
    if (ctx !== undefined && hasDisconnected(ctx, error)) log.info('client disconnected before the response');
    else log.error('response not delivered', { error: describeError(error) });
  });
  app.use(identifyRequest);
  app.use(answerErrors(showError));
  return app;
}

/**
 * Whether an error means that the client has disconnected. Compares it with the socket's error, because codes such as ECONNRESET
 * also come from database connections. A failed source of a streamed answer closes the socket as well, but is no disconnect.
 */
function hasDisconnected({ req }: Context, error: unknown): boolean {
  if (error instanceof StreamError || req.socket.errored instanceof StreamError) return false;
  const isPrematureClose =
    error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
  return isPrematureClose || error === req.socket.errored;
}

/** Gives every request an id: its `X-Request-Id`, if valid, or a new one. The answer and every log line contain it. */
function identifyRequest(ctx: Context, next: Koa.Next): Promise<unknown> {
  const given = ctx.get('X-Request-Id');
  const id = validId.test(given) ? given : randomUUID();
  ctx.set('X-Request-Id', id);
  return currentRequest.run(id, next);
}

const problemMediaType = 'application/problem+json';

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
function answerErrors(showError: ShowError): Middleware {
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
