import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { within } from '../platform/current-request.ts';
import { EventChannel } from '../platform/event-channel.ts';
import type { Log } from '../platform/log.ts';

/** An answered request. Has the route's pattern and not the path, because a path may contain personal data. */
export interface AnsweredRequest {
  readonly id: string;
  readonly method: string;
  /** Undefined for an unknown path. */
  readonly route: string | undefined;
  readonly status: number;
  readonly seconds: number;
  /** The caller's header (W3C Trace Context); empty if there is none. */
  readonly traceparent: string;
}

export const requestEvents = new EventChannel<AnsweredRequest>('request');

/** Short, and without characters that allow log injection or e-mail addresses. */
const validId = /^[\w-]{1,64}$/;

/** Gives every request an id: its `X-Request-Id`, if valid, or a new one. The answer and every log line contain it. */
export function identifyRequests(log: Log): Middleware {
  return async (ctx, next) => {
    const given = ctx.get('X-Request-Id');
    const id = validId.test(given) ? given : randomUUID();
    ctx.set('X-Request-Id', id);
    const begun = performance.now();
    try {
      await within({ id }, next);
    } finally {
      if (requestEvents.hasSubscribers) {
        const { method, status } = ctx;
        const route: unknown = ctx['_matchedRoute'];
        requestEvents.publish(log, {
          ...{ id, method, status },
          route: typeof route === 'string' ? route : undefined,
          seconds: (performance.now() - begun) / 1_000,
          traceparent: ctx.get('traceparent'),
        });
      }
    }
  };
}
