import { describeAttempt } from '../store/describe-records.ts';
import type { PreDeployCheck } from '../deploy/deploy-release.ts';
import type { CommandContext } from './command-context.ts';
import { printProgress } from './print.ts';

/** Checks what visitors get by a change, and prints what passed only at its second attempt. */
export function createPreDeployCheck(
  { config, store }: CommandContext,
  options: { readonly force?: boolean | undefined; readonly looksChanged?: boolean | undefined } = {},
): PreDeployCheck {
  return async (next, live, siteConfig) => {
    const { release: liveRelease, siteConfig: liveSiteConfig } = live ?? {};
    const { browserLocation } = config;
    const candidate = { store, next, liveRelease, siteConfig, liveSiteConfig, browserLocation };
    // Loaded only when it runs, because a rollback does not wait for its parsers.
    const { runPreDeployCheck } = await import('../check/check-release.ts');
    return runPreDeployCheck(candidate, options, (attempt) => printProgress(describeAttempt(attempt)));
  };
}
