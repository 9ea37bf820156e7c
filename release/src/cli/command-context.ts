import type { ReleaseConfig } from './config.ts';
import type { ResolveSiteConfig } from '../deploy/deploy-release.ts';
import type { CallMessage } from '../release-server/running-calls.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { openStore } from '../store/open-store.ts';
import { ReleaseStore } from '../store/release-store.ts';
import type { CallOf, CommandName } from './commands.ts';
import type { Output } from './print.ts';

export type CommandContext = ReturnType<typeof openContext>;

/** Runs a command. Resolves to what it prints; `undefined` if it has printed that already, because it runs until it is stopped. */
export type Run<Name extends CommandName> = (
  call: CallOf<Name>,
  context: CommandContext,
) => Promise<Output | undefined>;

/**
 * Configuration and store of a command.
 *
 * @param build what a client has sent to the release server with a call of `publish`
 */
export function openContext(config: ReleaseConfig, build?: CallMessage['build']) {
  const store = new ReleaseStore(openStore(config.store));
  // Explicit settings, else those of the live page, else the defaults.
  const resolveSiteConfig: ResolveSiteConfig = (before) => {
    const siteConfig = { ...config.siteConfig, ...before, ...config.explicitSiteConfig };
    // Checked here, because the live page may have the other one of the two.
    if (siteConfig.consentText !== undefined && siteConfig.privacyUrl === undefined) {
      throw new ReleaseError(
        'CONSENT_TEXT needs PRIVACY_URL, to which its sentence links. Set it, or CONSENT_TEXT=none.',
      );
    }
    return siteConfig;
  };
  return { build, config, store, resolveSiteConfig };
}
