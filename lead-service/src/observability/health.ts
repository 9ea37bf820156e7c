import type Router from '@koa/router';
import type { ReadinessCheck } from './readiness.ts';

/** Adds `GET /healthz` (liveness), which checks nothing: for a supervisor that restarts a stalled process. */
export function addHealthRoute(router: Router): void {
  router.get('/healthz', (ctx) => {
    ctx.type = 'text/plain';
    ctx.body = 'ok';
  });
}

/** Adds `GET /readyz` (readiness), for a load balancer, which sends no requests to an instance that answers 503. */
export function addReadinessRoute(router: Router, { check }: Pick<ReadinessCheck, 'check'>): void {
  router.get('/readyz', async (ctx) => {
    const found = await check();
    ctx.status = found.status === 'unavailable' ? 503 : 200;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = found;
  });
}
