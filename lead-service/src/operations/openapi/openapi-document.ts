import { brand } from '@countersign/contracts/brand';
import { adminPaths } from './admin-paths.ts';
import { leadPaths } from './lead-paths.ts';
import { jsonResponse, requestIdHeader } from './responses.ts';
import { componentSchemas, type Json } from './schemas.ts';
import { telemetryPaths } from './telemetry-paths.ts';

/** Where the document is served. */
export const openApiPath = '/api/openapi.json';

const watching: Json = {
  '/healthz': {
    get: {
      operationId: 'answers',
      summary: 'Says that the process answers.',
      description: 'Looks at nothing else: it is for whatever restarts a process that hangs.',
      responses: {
        200: {
          description: 'It does.',
          headers: requestIdHeader,
          content: { 'text/plain': { schema: { const: 'ok' } } },
        },
      },
    },
  },
  '/readyz': {
    get: {
      operationId: 'takes-leads',
      summary: 'Says whether leads are taken.',
      description: 'For a load balancer: an instance that answers 503 gets no requests.',
      responses: {
        200: jsonResponse('They are, though perhaps something needs a look.', 'Readiness'),
        503: jsonResponse('They are not.', 'Readiness'),
      },
    },
  },
  [openApiPath]: {
    get: {
      operationId: 'describe',
      summary: 'This document.',
      description: 'It is made of the schemas and errors that the service works with.',
      responses: {
        200: {
          description: 'OpenAPI 3.1.',
          headers: requestIdHeader,
          content: { 'application/json': { schema: { type: 'object' } } },
        },
      },
    },
  },
};

const methods = ['get', 'post', 'put', 'options'];
const [leads, reports, operations, administration] = [
  { name: 'leads', description: 'What forms send.' },
  { name: 'reports', description: 'What the page reports.' },
  { name: 'operations', description: 'What watches the service.' },
  { name: 'administration', description: 'What works with leads, on an address of its own.' },
];

/** Files all operations of these paths under a heading. */
function under({ name }: { readonly name: string }, paths: Json): Json {
  const items = Object.entries(paths as Readonly<Record<string, Json>>).map(([path, item]) => {
    const parts = Object.entries(item).map(([key, part]) =>
      methods.includes(key) ? [key, { tags: [name], ...(part as Json) }] : [key, part],
    );
    return [path, Object.fromEntries(parts)];
  });
  return Object.fromEntries(items);
}

/** The HTTP interface of the service (OpenAPI 3.1), made of the schemas and errors that it works with. */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: `${brand} lead service`,
      version: '1.0.0',
      description: 'Stores leads before their sender is thanked.',
      contact: { name: brand },
      license: { name: 'All rights reserved' },
    },
    servers: [{ url: '/', description: 'The address that this document comes from.' }],
    tags: [leads, reports, operations, administration],
    // Only the administration needs a token, and says so itself.
    security: [],
    paths: {
      ...under(leads, leadPaths()),
      ...under(reports, telemetryPaths()),
      ...under(operations, watching),
      ...under(administration, adminPaths()),
    },
    components: {
      schemas: componentSchemas(),
      securitySchemes: { adminToken: { type: 'http', scheme: 'bearer' } },
    },
  };
}
