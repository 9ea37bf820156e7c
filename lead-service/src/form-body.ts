import type { Context, Middleware } from 'koa';
import { notJson } from './errors.ts';
import { expectObject, jsonBody, type JsonObject } from './json-body.ts';
import { textBody } from './text-body.ts';

const formType = 'application/x-www-form-urlencoded';

const readForm = textBody(formType, notJson);

/** Reads a body of at most 16 kB, JSON or a form's. */
export const leadBody: Middleware = (ctx, next) => (isForm(ctx) ? readForm(ctx, next) : jsonBody(ctx, next));

/** Whether a browser has sent the request by itself, without a script. */
export function isForm(ctx: Context): boolean {
  return ctx.request.type.trim().toLowerCase() === formType;
}

/** What {@link leadBody} has read. Throws when it cannot be a lead. */
export function expectLead(ctx: Context): JsonObject {
  return isForm(ctx) ? formFields(ctx) : expectObject(ctx.request.body);
}

/** The first of each name. Lines end with CR LF in forms, and with LF everywhere else. */
export function formFields(ctx: Context): Readonly<Record<string, string>> {
  const { body } = ctx.request;
  const fields = [...new URLSearchParams(typeof body === 'string' ? body : '')].toReversed();
  return Object.fromEntries(fields.map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]));
}
