import type { Middleware } from 'koa';
import type { Config } from '../config.ts';
import { crossOrigin, sameOrigin } from '../http/origin.ts';
import { tooManyLeads } from '../http/errors.ts';
import type { SpamClassification } from '../lead/lead.ts';
import type { Log } from '../platform/log.ts';
import { createClientLimits, type LocateClient } from '../rate-limit/client-limits.ts';
import { createSpamFilter, type UnclassifiedLead } from '../spam/spam-filter.ts';

/**
 * Protection of the lead endpoints, in the order of its stages: CORS, origin, body, limit, classification. The body is
 * read before the limit counts, so that an interrupted or unreadable request uses up nothing of a visitor's quota.
 */
export interface LeadGuard {
  /** CORS for the allowed origins. Also answers preflights. */
  readonly crossOrigin: Middleware;
  /** CSRF protection: answers 403 to forms of other origins. */
  readonly sameOrigin: Middleware;
  /** Rate limit of leads: sets the RateLimit headers, and answers 429 beyond the quota. */
  readonly limit: Middleware;
  /** Runs last, because it needs the validated fields. */
  classify(lead: UnclassifiedLead): SpamClassification;
}

export function createLeadGuard(
  { allowedOrigins, requestsPerAddress }: Pick<Config, 'allowedOrigins' | 'requestsPerAddress'>,
  clientOf: LocateClient,
  log: Log,
): LeadGuard {
  const limits = createClientLimits(requestsPerAddress);
  return {
    crossOrigin: crossOrigin(allowedOrigins),
    sameOrigin: sameOrigin(allowedOrigins, log),
    async limit(ctx, next) {
      const { headers, refusedFor } = limits.count(clientOf(ctx.req));
      ctx.set(headers);
      if (refusedFor !== undefined) throw tooManyLeads(refusedFor);
      await next();
    },
    classify: createSpamFilter(),
  };
}
