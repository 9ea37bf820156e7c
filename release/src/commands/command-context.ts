import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ReleaseConfig } from '../config.ts';
import { openStore } from '../store/open-store.ts';
import { ReleaseStore } from '../store/release-store.ts';

/** What every command works with. */
export interface CommandContext {
  readonly config: ReleaseConfig;
  readonly store: ReleaseStore;
  readonly site: SiteConfig;
}

export function openContext(config: ReleaseConfig): CommandContext {
  return { config, store: new ReleaseStore(openStore(config.store)), site: config.site };
}
