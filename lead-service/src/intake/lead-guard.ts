import type { IncomingMessage } from 'node:http';
import type { FormToken } from '@countersign/contracts/lead';
import type { Middleware } from 'koa';
import { crossOrigin } from '../http/cross-origin.ts';
import { tooManyLeads } from '../http/errors.ts';
import { sameOrigin } from '../http/same-origin.ts';
import type { SpamClassification } from '../lead/lead.ts';
import { mailboxOf } from '../platform/address-hash.ts';
import { createKeyedHash } from '../platform/keyed-hash.ts';
import type { Secret } from '../platform/secret.ts';
import type { AbuseConfig } from '../rate-limit/abuse-config.ts';
import type { LocateClient } from '../rate-limit/client.ts';
import { createClientLimits } from '../rate-limit/client-limits.ts';
import type { OpenCounter } from '../rate-limit/counters.ts';
import { createConfirmationLimits } from '../rate-limit/confirmation-limits.ts';
import { createReputation } from '../rate-limit/reputation.ts';
import { createChallenges } from '../spam/challenges.ts';
import { createFormTokens } from '../spam/form-token.ts';
import { createSpamFilter, type UnclassifiedLead } from '../spam/spam-filter.ts';

/**
 * Protection of the lead endpoints, in the order of its stages: CORS, origin, body, limit, classification. The body is
 * read before the limit counts, so that an interrupted or unreadable request uses up nothing of a visitor's quota.
 */
export interface LeadGuard {
  /** CORS for the allowed origins. Runs for the whole app, because it also answers preflights. */
  readonly crossOrigin: Middleware;
  /** CSRF protection: answers 403 to forms of other origins. */
  readonly sameOrigin: Middleware;
  /** Rate limit of leads: sets the RateLimit headers, and answers 429 beyond the quota. */
  readonly limit: Middleware;
  /** The same limit for form tokens, which count separately. A challenge takes the service more time than a lead. */
  readonly limitForms: Middleware;
  /** Issues a token for a new form. For suspicious networks, it comes with a challenge. */
  issueToken(request: IncomingMessage): Promise<FormToken>;
  /** Runs last, because it needs the validated fields. */
  classify(request: IncomingMessage, lead: UnclassifiedLead): Promise<SpamClassification>;
}

export function createLeadGuard(
  config: AbuseConfig,
  secret: Secret,
  clientOf: LocateClient,
  open: OpenCounter,
): LeadGuard {
  const hash = createKeyedHash(secret.deriveKey('rate-limit'));
  const tokens = createFormTokens(secret.deriveKey('form-token'));
  const challenges = createChallenges(secret.deriveKey('challenge'));
  const limitConfirmation = createConfirmationLimits(config.confirmations, open);
  const reputation = createReputation(open);
  const classifyLead = createSpamFilter(tokens, challenges, open, hash);

  function limit(kind: 'leads' | 'forms'): Middleware {
    const limits = createClientLimits(kind, config.quotas, open);
    return async (ctx, next) => {
      const client = clientOf(ctx.req);
      const { headers, refusedFor } = await limits.count(client);
      ctx.set(headers);
      if (refusedFor !== undefined) {
        await reputation.note(client, 'limited');
        throw tooManyLeads(refusedFor);
      }
      await next();
    };
  }

  return {
    crossOrigin: crossOrigin(config.allowedOrigins),
    sameOrigin: sameOrigin(config.allowedOrigins),
    limit: limit('leads'),
    limitForms: limit('forms'),

    async issueToken(request) {
      const challenged = await reputation.isDoubtful(clientOf(request));
      const { id, token } = tokens.issue(challenged);
      return challenged ? { token, challenge: { ...(await challenges.create(id)) } } : { token };
    },

    async classify(request, lead) {
      const classification = await classifyLead(lead);
      // Not awaited, because a slower response would reveal the classification to a spammer.
      if (classification.quarantined) void reputation.note(clientOf(request), 'quarantined');
      // A confirmation mail that is withheld already does not count against the limit.
      if (classification.withheld !== undefined) return classification;
      const recipient = hash(mailboxOf(lead.fields.email));
      const withheld = await limitConfirmation(clientOf(request), recipient);
      return withheld === undefined ? classification : { ...classification, withheld };
    },
  };
}
