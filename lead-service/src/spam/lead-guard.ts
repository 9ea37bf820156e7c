import type { IncomingMessage } from 'node:http';
import type { FormToken } from '@countersign/contracts/lead';
import type { Middleware } from 'koa';
import { tooManyLeads } from '../errors.ts';
import type { SpamVerdict } from '../lead.ts';
import type { Log } from '../log.ts';
import type { Secret } from '../secret.ts';
import type { AbuseConfig } from './abuse-config.ts';
import { createChallenges } from './challenges.ts';
import { createClientLocator } from './client.ts';
import type { OpenCounter } from './counters.ts';
import { crossOrigin } from './cross-origin.ts';
import { createFormTokens } from './form-token.ts';
import { createKeyedHash } from './keyed-hash.ts';
import { createLeadJudge, type Submission } from './lead-judge.ts';
import { createLeadLimits } from './lead-limits.ts';
import { limitReports } from '../telemetry/report-limit.ts';
import { createReputation } from './reputation.ts';
import { sameOrigin } from './same-origin.ts';

/** Stands between the network and the leads. */
export interface LeadGuard {
  /** Lets scripts of sites on the list send leads. */
  readonly crossOrigin: Middleware;
  /** Refuses forms of other sites: 403. */
  readonly sameOrigin: Middleware;
  /** Counts a request, tells its sender what is left, and refuses it when that is nothing: 429. */
  readonly limit: Middleware;
  /** Refuses reports of an address that sends too many: 429. */
  readonly limitReports: Middleware;
  /** For a form that is being opened. It comes with work to do when its network gives reason to. */
  issueToken(request: IncomingMessage): Promise<FormToken>;
  judge(request: IncomingMessage, submission: Submission): Promise<SpamVerdict>;
}

export function createLeadGuard(config: AbuseConfig, secret: Secret, open: OpenCounter, log: Log): LeadGuard {
  const hash = createKeyedHash(secret.deriveKey('rate-limit'));
  const tokens = createFormTokens(secret.deriveKey('form-token'));
  const challenges = createChallenges(secret.deriveKey('challenge'));
  const limits = createLeadLimits(config.quotas, open);
  const reputation = createReputation(open);
  const judgeLead = createLeadJudge(tokens, challenges, open, hash);
  const clientOf = createClientLocator(config.trustedProxyHops, hash, log);

  return {
    crossOrigin: crossOrigin(config.allowedOrigins),
    sameOrigin: sameOrigin(config.allowedOrigins),
    limitReports: limitReports(config.reportsPerAddress, clientOf, open),

    async limit(ctx, next) {
      const client = clientOf(ctx.req);
      const { headers, refusedFor } = await limits.count(client);
      ctx.set(headers);
      if (refusedFor !== undefined) {
        await reputation.note(client, 'limited');
        throw tooManyLeads(refusedFor);
      }
      await next();
    },

    async issueToken(request) {
      const challenged = await reputation.isDoubtful(clientOf(request));
      const { id, token } = tokens.issue(challenged);
      return challenged ? { token, challenge: { ...(await challenges.create(id)) } } : { token };
    },

    async judge(request, submission) {
      const verdict = await judgeLead(submission);
      // Not waited for: an answer that takes longer would say what we think.
      if (verdict.quarantined) void reputation.note(clientOf(request), 'quarantined');
      return verdict;
    },
  };
}
