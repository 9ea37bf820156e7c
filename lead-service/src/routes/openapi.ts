import Router from '@koa/router';
import { openApiDocument, openApiPath } from '../operations/openapi/openapi-document.ts';

/** `GET /api/openapi.json`: 200 and the description of all addresses (OpenAPI 3.1). */
export function openApiRoutes(): Router {
  const text = JSON.stringify(openApiDocument());
  return new Router().get(openApiPath, (ctx) => {
    ctx.type = 'application/json';
    ctx.body = text;
  });
}
