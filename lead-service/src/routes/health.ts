import Router from '@koa/router';
import type { ReadinessCheck } from '../operations/readiness.ts';

/**
 * `GET /healthz`: 200 `ok` while the process answers requests. It says nothing about the database. `GET /readyz`: a
 * `Readiness` as JSON, 200 while leads can be taken, be it with a delay in handing them on, 503 when none can.
 */
export function healthRoutes(readiness: Pick<ReadinessCheck, 'check'> | undefined): Router {
  const router = new Router().get('/healthz', (ctx) => {
    ctx.type = 'text/plain';
    ctx.body = 'ok';
  });
  if (readiness === undefined) return router;
  return router.get('/readyz', async (ctx) => {
    const found = await readiness.check();
    ctx.status = found.status === 'unavailable' ? 503 : 200;
    ctx.set('Cache-Control', 'no-store');
    ctx.body = found;
  });
}
