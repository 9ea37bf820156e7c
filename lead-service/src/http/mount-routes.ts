import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import { methodNotAllowed, unknownPath } from './errors.ts';
import type { Route } from './route.ts';

/**
 * Adds routes to a router.
 *
 * @param servicesOf returns the dependencies of the handlers. Runs before all checks of the route, so that it can refuse
 *   callers without the scope.
 */
export function mountRoutes<Services, Scope extends string>(
  router: Router,
  routes: readonly Route<Services, Scope>[],
  servicesOf: (ctx: RouterContext, scope: Scope) => Services | Promise<Services>,
): void {
  for (const { method, path, scope, responses, checks, answer } of routes) {
    const [firstStatus] = Object.keys(responses);
    router[method](path.replaceAll(/\{(\w+)\}/g, ':$1'), async (ctx) => {
      const services = await servicesOf(ctx, scope);
      for (const check of checks(services)) await check(ctx, proceed);
      ctx.status = Number(firstStatus);
      const json = await answer(ctx, services);
      if (json !== undefined) ctx.body = json;
    });
  }
}

const proceed = () => Promise.resolve();

/** Fallback after all routes: answers 404 for an unknown path, and 405 for a wrong method. */
export function unmatched({ matched = [] }: Pick<RouterContext, 'matched'>): never {
  // OPTIONS only answers preflights of allowed origins.
  const methods = new Set(matched.flatMap((layer) => layer.methods.filter((name) => name !== 'OPTIONS')));
  throw methods.size > 0 ? methodNotAllowed([...methods]) : unknownPath();
}
