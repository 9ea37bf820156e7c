import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { within } from './current-request.ts';

/** Short, and nothing in it that could pass for something else in a log, or be a person's address. */
const usable = /^[\w-]{1,64}$/;

/** Gives every request an id: the caller's `X-Request-Id`, if it is usable, or a new one. It is in the answer and in every log line. */
export const identifyRequests: Middleware = (ctx, next) => {
  const given = ctx.get('X-Request-Id');
  const id = usable.test(given) ? given : randomUUID();
  ctx.set('X-Request-Id', id);
  return within({ id }, next);
};
