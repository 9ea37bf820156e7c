import type { Context, Middleware } from 'koa';
import { AnswerableError, unexpected } from './errors.ts';
import { describeError, type Log } from './log.ts';
import { problemType } from './problem-type.ts';
import { showLeadError } from './routes/lead-pages.ts';

const problemMediaType = 'application/problem+json';

/**
 * Shapes every error answer: its sentence as text/plain, or a problem document (RFC 9457) for a caller whose Accept
 * header names that type, or a page for a browser that has sent a form without a script.
 *
 * @param count is told the id of each error
 */
export function errorAnswers(log: Log, count: (id: string) => void = () => undefined): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const expected = thrown instanceof AnswerableError;
      if (!expected) log.error('unexpected', { error: describeError(thrown) });
      const error = expected ? thrown : unexpected(thrown);
      count(error.id);
      answer(ctx, error);
    }
  };
}

function answer(ctx: Context, error: AnswerableError): void {
  ctx.status = error.status;
  ctx.set(error.headers);
  ctx.vary('Accept');
  if (showLeadError(ctx, error)) return;
  if (ctx.accepts().includes(problemMediaType)) {
    ctx.body = problem(error);
    ctx.set('Content-Type', problemMediaType);
  } else {
    ctx.type = 'text/plain';
    ctx.body = error.message;
  }
}

function problem({ id, title, status, message, faults }: AnswerableError): object {
  return {
    type: problemType(id),
    title,
    status,
    detail: message,
    ...(faults && { errors: faults }),
  };
}
