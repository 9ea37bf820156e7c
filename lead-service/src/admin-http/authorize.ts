import type { Context } from 'koa';
import { missingScope, unauthorized } from '../http/errors.ts';
import type { AdminContext } from '../lead-admin/admin-context.ts';
import { findToken, type AdminScope } from './admin-token.ts';
import { adminContextOf, type Administration } from './administration.ts';

/**
 * The admin context of the token in `Authorization: Bearer …`. Refuses requests without a known token (401), which it
 * audits, and tokens without the scope (403).
 */
export async function authorize(
  administration: Administration,
  ctx: Context,
  scope: AdminScope,
): Promise<AdminContext> {
  const { tokens, failedLogins } = administration;
  const presented = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization'))?.[1];
  if (presented === undefined) throw unauthorized();
  await failedLogins.refuseRepeated(ctx.req, 'api.login-failed');
  const token = findToken(tokens, presented);
  if (token === undefined) {
    await failedLogins.record(ctx.req, 'api.login-failed');
    throw unauthorized();
  }
  if (!token.scopes.includes(scope)) throw missingScope(scope);
  return adminContextOf(administration, token);
}
