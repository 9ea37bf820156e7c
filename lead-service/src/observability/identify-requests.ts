import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { within } from '../platform/current-request.ts';

/** Short, and without characters that allow log injection or e-mail addresses. */
const validId = /^[\w-]{1,64}$/;

/** Gives every request an id: its `X-Request-Id`, if valid, or a new one. The answer and every log line contain it. */
export const identifyRequests: Middleware = (ctx, next) => {
  const given = ctx.get('X-Request-Id');
  const id = validId.test(given) ? given : randomUUID();
  ctx.set('X-Request-Id', id);
  return within({ id }, next);
};
