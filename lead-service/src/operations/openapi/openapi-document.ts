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

/** The HTTP interface of the service (OpenAPI 3.1), made of the schemas and errors that it works with. */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.1',
    info: {
      title: `${brand} lead service`,
      version: '1.0.0',
      description: 'Stores leads before their sender is thanked.',
    },
    paths: { ...leadPaths(), ...telemetryPaths(), ...watching, ...adminPaths() },
    components: {
      schemas: componentSchemas(),
      securitySchemes: { adminToken: { type: 'http', scheme: 'bearer' } },
    },
  };
}
