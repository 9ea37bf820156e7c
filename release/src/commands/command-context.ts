import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ReleaseConfig } from '../config.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import { ReleaseStore } from '../store/release-store.ts';

/** What every command works with. */
export interface CommandContext {
  readonly config: ReleaseConfig;
  readonly objects: DirectoryStore;
  readonly store: ReleaseStore;
  readonly site: SiteConfig;
}

export function openContext(config: ReleaseConfig): CommandContext {
  const objects = new DirectoryStore(config.storeDirectory);
  return { config, objects, store: new ReleaseStore(objects), site: config.site };
}
