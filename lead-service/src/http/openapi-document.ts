import * as z from 'zod/mini';
import { crossOriginPaths } from './cross-origin.ts';
import {
  bodyTooLarge,
  databaseUnavailable,
  invalidRequest,
  malformedBody,
  methodNotAllowed,
  missingScope,
  notJson,
  tooManyFailedLogins,
  unauthorized,
  unexpected,
} from './errors.ts';
import { type DefinedError, problemType } from './http-error.ts';
import type { ResponseDescription, RouteDescription } from './route.ts';

type Json = Readonly<Record<string, unknown>>;
type Schemas = NonNullable<ResponseDescription['content']>;

interface RouteGroup {
  readonly name: string;
  readonly description: string;
  readonly routes: readonly RouteDescription[];
  /** Servers other than the origin of the document. */
  readonly servers?: readonly Json[];
}

const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
  })
  .register(z.globalRegistry, { id: 'Problem' });

const text = (description: string) => z.string().check(z.describe(description));

/** Headers of every response. */
const everyHeader = { 'X-Request-Id': text('Id of the request in the log.') };

const errorHeaders: Schemas = {
  'Retry-After': text('Seconds to wait before the next attempt.'),
  Allow: text('The supported methods.'),
  Accept: text('The supported content type of the body.'),
  'WWW-Authenticate': text('The authentication scheme.'),
};

/** CORS headers. */
const permissionHeaders: Schemas = {
  'Access-Control-Allow-Origin': text('The allowed origin.'),
  'Access-Control-Allow-Methods': text('The allowed methods.'),
  'Access-Control-Allow-Headers': text('The allowed request headers.'),
  'Access-Control-Expose-Headers': text('The response headers that scripts may read.'),
  'Access-Control-Max-Age': text('Seconds for which browsers may cache the preflight.'),
};

/** Errors of every route that needs a token. */
const tokenErrors = [unauthorized, missingScope, tooManyFailedLogins, databaseUnavailable];

export function openApiDocument(info: Json, groups: readonly RouteGroup[]): Json {
  const paths = groups.flatMap((group) => {
    const byPath = Map.groupBy(group.routes, ({ path }) => path);
    return [...byPath].map(([path, routes]) => [path, pathItem(path, routes, group)] as const);
  });
  const schemas: Record<string, unknown> = {};
  const document = {
    openapi: '3.1.1',
    info,
    servers: [{ url: '/', description: 'The origin of this document.' }],
    tags: groups.map(({ name, description }) => ({ name, description })),
    // Only routes with a scope require a token. Each declares it.
    security: [],
    paths: Object.fromEntries(paths),
    components: { securitySchemes: { adminToken: { type: 'http', scheme: 'bearer' } } },
  };
  // OpenAPI declares the dialect once for the whole document, and keeps all schemas with an id in one place.
  const { components, ...rest } = JSON.parse(JSON.stringify(document), (key, value: unknown) => {
    if (key === '$defs') Object.assign(schemas, value);
    if (key === '$ref') return String(value).replace('#/$defs/', '#/components/schemas/');
    return key === '$defs' || key === '$schema' ? undefined : value;
  }) as typeof document;
  return { ...rest, components: { ...components, schemas } };
}

function pathItem(path: string, routes: readonly RouteDescription[], { name, servers }: RouteGroup): Json {
  const operations = routes.flatMap((route) => {
    const operation = [route.method, { tags: [name], ...operationOf(route) }] as const;
    if (!crossOriginPaths.has(path)) return [operation];
    return [operation, ['options', { tags: [name], ...preflightOf(route) }] as const];
  });
  return { ...(servers && { servers }), ...Object.fromEntries(operations) };
}

function operationOf(route: RouteDescription): Json {
  const { operationId, summary, scope, params, query, headers, body, responses } = route;
  const needsToken = scope !== 'public';
  const description = needsToken
    ? [route.description, `Requires a token with the scope \`${scope}\`.`].filter(Boolean).join(' ')
    : route.description;
  const parameters = [
    ...parametersIn('path', params),
    ...parametersIn('query', query),
    ...parametersIn('header', headers),
  ];
  const bodyTypes = body && Object.fromEntries(bodyTypesOf(route).map((type) => [type, body] as const));
  const errors = [
    ...(body ? [malformedBody, bodyTooLarge, notJson] : []),
    ...((params ?? query ?? body) ? [route.invalid ?? invalidRequest] : []),
    ...(route.errors ?? []),
    ...(needsToken ? tokenErrors : []),
    unexpected,
  ];
  const successes = Object.entries(responses).map(
    ([status, response]) => [status, successOf(response, summary)] as const,
  );
  return {
    operationId,
    summary,
    description,
    ...(needsToken && { security: [{ adminToken: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(bodyTypes && { requestBody: { required: true, content: contentOf(bodyTypes, 'input') } }),
    responses: { ...Object.fromEntries(successes), ...errorResponses(errors, route.acceptsForms) },
  };
}

function bodyTypesOf({ acceptsForms }: RouteDescription): readonly string[] {
  return ['application/json', ...(acceptsForms ? ['application/x-www-form-urlencoded'] : [])];
}

function parametersIn(place: string, schema: z.ZodMiniType | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...describedSchema(property),
  }));
}

function successOf({ description, json, content, headers }: ResponseDescription, summary: string): Json {
  const types = { ...(json && { 'application/json': json }), ...content };
  return {
    description: description ?? summary,
    headers: headersOf(headers),
    ...(Object.keys(types).length > 0 && { content: contentOf(types, 'output') }),
  };
}

/**
 * Errors by status: plain text, or a problem document (RFC 9457) if `Accept` names its type. A browser that sends a form
 * gets a page.
 */
function errorResponses(errors: readonly DefinedError[], acceptsForms = false): Json {
  const byStatus = Map.groupBy(errors, ({ status }) => status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [status, errorResponse(group, acceptsForms)] as const),
  );
}

function errorResponse(group: readonly DefinedError[], acceptsForms: boolean): Json {
  const names = group.flatMap(({ headerNames }) => headerNames);
  const types = { type: 'object', properties: { type: { enum: group.map(({ id }) => problemType(id)) } } };
  return {
    description: group.map(({ id, title }) => `${title} (\`${id}\`)`).join(', or '),
    headers: headersOf(Object.fromEntries(names.map((name) => [name, errorHeaders[name] ?? text(name)]))),
    content: {
      'text/plain': { schema: { type: 'string', minLength: 1 } },
      'application/problem+json': { schema: { allOf: [z.toJSONSchema(problem), types] } },
      ...(acceptsForms && { 'text/html': { schema: { type: 'string', minLength: 1 } } }),
    },
  };
}

function preflightOf({ operationId }: RouteDescription): Json {
  const description = 'The origin is allowed.';
  return {
    operationId: `ask-to-${operationId}`,
    summary: 'CORS preflight of a browser.',
    description: 'Allows only origins in ALLOWED_ORIGINS.',
    responses: {
      204: { description, headers: headersOf(permissionHeaders) },
      ...errorResponses([methodNotAllowed]),
    },
  };
}

function headersOf(headers: Schemas = {}): Json {
  const all = Object.entries({ ...everyHeader, ...headers });
  return Object.fromEntries(all.map(([name, schema]) => [name, describedSchema(z.toJSONSchema(schema))]));
}

function contentOf(types: Schemas, io: 'input' | 'output'): Json {
  const content = Object.entries(types).map(
    ([type, schema]) => [type, { schema: z.toJSONSchema(schema, { io }) }] as const,
  );
  return Object.fromEntries(content);
}

/** Parameters and headers have their description beside the schema. */
function describedSchema(schema: z.core.JSONSchema._JSONSchema): Json {
  if (typeof schema === 'boolean') return { schema };
  const { description, ...rest } = schema;
  return { description, schema: rest };
}
