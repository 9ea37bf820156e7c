import type { RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import type * as z from 'zod/mini';
import type { DefinedError, FieldError } from './http-error.ts';
import { parseInput } from './parse-input.ts';
import { formFields, isForm, jsonBody, jsonObject } from './request-body.ts';

type Schema = z.ZodMiniType;

export interface ResponseDescription {
  /** Default: the summary of the route. */
  readonly description?: string;
  /** JSON, which the handler returns. */
  readonly json?: Schema;
  /** Other content types. The handler itself sets such a body. */
  readonly content?: Readonly<Record<string, Schema>>;
  readonly headers?: Readonly<Record<string, Schema>>;
}

export interface RouteDescription<Scope extends string = string> {
  readonly method: 'get' | 'post' | 'put';
  /** With parameters in braces: `/leads/{id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  /** Scope that the caller's token must have; `public` for routes without a token. */
  readonly scope: Scope;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly headers?: z.ZodMiniObject;
  readonly body?: Schema;
  /** Whether a form may send the body, too. */
  readonly acceptsForms?: true;
  /** Successes by status. The handler must set the status if it is not the first one. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Error for input that a schema refuses. Default: `invalidRequest`. */
  readonly invalid?: DefinedError<readonly FieldError[]>;
  /** Other errors of this route. Those of every body, token and route are added. */
  readonly errors?: readonly DefinedError[];
}

/** @template Services dependencies of the handler */
export interface Route<Services, Scope extends string = string> extends RouteDescription<Scope> {
  /** Run in this order before the input is parsed. One of them must read the body, if there is one. */
  readonly checks: (services: Services) => readonly Middleware[];
  /** Parses the input and runs the handler. Returns the JSON of the response, if it is JSON. */
  readonly answer: (ctx: RouterContext, services: Services) => Promise<unknown>;
}

interface RouteDefinition<
  Services,
  Scope extends string,
  Params extends Schema,
  Query extends Schema,
  Headers extends z.ZodMiniObject,
  Body extends Schema,
  Responses,
> extends RouteDescription<Scope> {
  readonly params?: Params;
  readonly query?: Query;
  readonly headers?: Headers;
  readonly body?: Body;
  readonly responses: Responses & RouteDescription['responses'];
  /** Default: reads a JSON body, if there is one. */
  readonly checks?: Route<Services>['checks'];
  readonly handler: (
    input: {
      readonly params: z.output<Params>;
      readonly query: z.output<Query>;
      readonly headers: z.output<Headers>;
      readonly body: z.output<Body>;
      readonly ctx: RouterContext;
    },
    services: Services,
  ) => Result<Responses> | Promise<Result<Responses>>;
}

/** What the handler returns: the JSON of one of the responses, or `undefined` for a response without JSON. */
type Result<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends { readonly json: infer Json extends Schema }
    ? Immutable<z.output<Json>>
    : undefined;
}[keyof Responses];

type Immutable<Value> = Value extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Immutable<Value[Key]> }
    : Value;

/** Defines a route. The schemas validate the input, type the handler and describe the API. */
export function defineRoute<
  Services,
  Scope extends string,
  Responses,
  Params extends Schema = z.ZodMiniUndefined,
  Query extends Schema = z.ZodMiniUndefined,
  Headers extends z.ZodMiniObject = z.ZodMiniObject,
  Body extends Schema = z.ZodMiniUndefined,
>({
  handler,
  checks = () => (description.body === undefined ? [] : [jsonBody]),
  ...description
}: RouteDefinition<Services, Scope, Params, Query, Headers, Body, Responses>): Route<Services, Scope> {
  const { params, query, headers, body, acceptsForms = false, invalid } = description;
  function readBody(ctx: RouterContext): unknown {
    return acceptsForms && isForm(ctx) ? formFields(ctx) : jsonObject(ctx);
  }
  function parse<Input extends Schema>(schema: Input | undefined, value: () => unknown): z.output<Input> {
    // Without a schema, `Input` is its default, and its output `undefined`.
    return schema === undefined ? (undefined as z.output<Input>) : parseInput(schema, value(), invalid);
  }
  return {
    ...description,
    checks,
    answer: async (ctx, services) =>
      handler(
        {
          ctx,
          headers: parse(headers, () => valuesOf(Object.keys(headers?.shape ?? {}), ctx)),
          body: parse(body, () => readBody(ctx)),
          query: parse(query, () => ctx.query),
          params: parse(params, () => ctx.params),
        },
        services,
      ),
  };
}

/** The values of some request headers, by the given spelling of their names. */
function valuesOf(names: readonly string[], { headers }: RouterContext): object {
  return Object.fromEntries(names.map((name) => [name, headers[name.toLowerCase()]]));
}
