import type { ReleaseConfig } from '../config.ts';
import type { ResolveSiteConfig } from '../deploy/deploy-release.ts';
import { readOwners } from '../access/owners.ts';
import { renewSecurityTxt } from '../page/security-txt.ts';
import { openStore } from '../store/open-store.ts';
import { ReleaseStore } from '../store/release-store.ts';

/** Configuration and store of a command. */
export interface CommandContext {
  readonly config: ReleaseConfig;
  readonly store: ReleaseStore;
  /** Resolves the site's configuration: explicit settings, else those of the live page, else the defaults. */
  readonly resolveSiteConfig: ResolveSiteConfig;
}

export function openContext(config: ReleaseConfig): CommandContext {
  return {
    config,
    store: new ReleaseStore(openStore(config.store)),
    resolveSiteConfig: (before) => ({
      ...config.site,
      ...before,
      ...config.explicitSite,
      securityTxt: renewSecurityTxt(config.securityContact, before?.securityTxt),
      owners: readOwners(config.ownersFile),
    }),
  };
}
