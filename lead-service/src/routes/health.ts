import Router from '@koa/router';

/** `GET /healthz`: 200 `ok` while the process answers requests. It says nothing about the database. */
export function healthRoutes(): Router {
  return new Router().get('/healthz', (ctx) => {
    ctx.type = 'text/plain';
    ctx.body = 'ok';
  });
}
