import type { RouterContext } from '@koa/router';
import { methodNotAllowed, unknownPath } from '../errors.ts';

/** Stands behind all routes: what arrives here has no path that exists, or the wrong method for it. */
export function unmatched({ matched = [] }: Pick<RouterContext, 'matched'>): never {
  const methods = new Set(matched.flatMap((layer) => layer.methods));
  throw methods.size > 0 ? methodNotAllowed([...methods]) : unknownPath();
}
