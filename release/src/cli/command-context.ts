import type { ReleaseConfig } from '../config.ts';
import type { SiteAfter } from '../flip/flip-release.ts';
import { openStore } from '../store/open-store.ts';
import { ReleaseStore } from '../store/release-store.ts';

/** What every command works with. */
export interface CommandContext {
  readonly config: ReleaseConfig;
  readonly store: ReleaseStore;
  /** The site's configuration: what is set, else what the live page has, else the defaults. */
  readonly siteAfter: SiteAfter;
}

export function openContext(config: ReleaseConfig): CommandContext {
  return {
    config,
    store: new ReleaseStore(openStore(config.store)),
    siteAfter: (before) => ({ ...config.site, ...before, ...config.chosenSite }),
  };
}
