import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ReleaseConfig } from '../config.ts';
import { openStore } from '../store/open-store.ts';
import { ReleaseStore } from '../store/release-store.ts';

/** What every command works with. */
export interface CommandContext {
  readonly config: ReleaseConfig;
  readonly store: ReleaseStore;
  /** The site's configuration: what is set, else what the live page has, else the defaults. */
  readonly site: () => Promise<SiteConfig>;
}

export function openContext(config: ReleaseConfig): CommandContext {
  const store = new ReleaseStore(openStore(config.store));
  return {
    config,
    store,
    site: async () => ({ ...config.site, ...(await store.readLive())?.site, ...config.chosenSite }),
  };
}
