import type Koa from 'koa';
import type { Administration } from './administration.ts';
import { apiRoutes } from './api-routes.ts';
import { inboxRoutes } from './inbox-routes.ts';

/** Adds `/admin/api` and the inbox. Without any token there is nothing at these addresses: 404. */
export function mountAdministration(app: Koa, administration: Administration): void {
  if (administration.tokens.length === 0) return;
  app.use(apiRoutes(administration).routes());
  app.use(inboxRoutes(administration).routes());
}
