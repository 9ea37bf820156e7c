import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ReleaseCandidate } from '../check/release-candidate.ts';
import type { CallMessage } from '../release-server/running-calls.ts';
import type { LiveState } from '../store/live-store.ts';
import { openStore } from '../store/open-store.ts';
import { ReleaseStore } from '../store/release-store.ts';
import type { CallOf, CommandName } from './commands.ts';
import type { ReleaseConfig } from './config.ts';
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
  return { build, config, store: new ReleaseStore(openStore(config.store)) };
}

/** The release that a command would make live, for its check. */
export function candidateOf(
  { config: { browserLocation }, store }: CommandContext,
  next: ReleaseContent,
  live: LiveState | undefined,
  siteConfig: SiteConfig,
): ReleaseCandidate {
  const { release: liveRelease, entry: liveEntry, siteConfig: liveSiteConfig } = live ?? {};
  return { store, next, liveRelease, liveEntry, siteConfig, liveSiteConfig, browserLocation };
}
