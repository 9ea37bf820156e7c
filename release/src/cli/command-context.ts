import type { ReleaseConfig } from '../config.ts';
import type { ResolveSiteConfig } from '../deploy/deploy-release.ts';
import type { ChangeOrigin } from '../store/history.ts';
import { openStore } from '../store/open-store.ts';
import { ReleaseStore } from '../store/release-store.ts';

/** Facts about a call that a client has sent to the release server. */
interface RemoteFacts {
  /** Where the call comes from, by the releaser's token. */
  readonly origin?: ChangeOrigin | undefined;
  /** The build that the releaser sent, and its commit. */
  readonly build?: { readonly folder: string; readonly commit: string | undefined } | undefined;
}

/** Configuration and store of a command. */
export interface CommandContext extends RemoteFacts {
  readonly config: ReleaseConfig;
  readonly store: ReleaseStore;
  /** Resolves the site's configuration: explicit settings, else those of the live page, else the defaults. */
  readonly resolveSiteConfig: ResolveSiteConfig;
}

export function openContext(config: ReleaseConfig, facts: RemoteFacts = {}): CommandContext {
  return {
    ...facts,
    config,
    store: new ReleaseStore(openStore(config.store)),
    resolveSiteConfig: (before) => ({ ...config.site, ...before, ...config.explicitSite }),
  };
}
