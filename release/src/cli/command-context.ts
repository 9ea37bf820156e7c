import type { ReleaseContent } from '@countersign/contracts/release-document';
import type { SiteConfig } from '@countersign/contracts/site-config';
import type { ReleaseCandidate } from '../check/release-candidate.ts';
import type { ProcessInput } from '../release-server/running-calls.ts';
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
export function openContext(config: ReleaseConfig, build?: ProcessInput['build']) {
  return { build, config, store: new ReleaseStore(openStore(config.store)) };
}

/** The release that a command would make live, for its check. */
export function createCandidate(
  { config: { browserLocation }, store }: CommandContext,
  next: ReleaseContent,
  liveState: LiveState | undefined,
  siteConfig: SiteConfig,
): ReleaseCandidate {
  const { release: liveRelease, historyEntry, siteConfig: liveSiteConfig } = liveState ?? {};
  return { store, next, liveRelease, historyEntry, siteConfig, liveSiteConfig, browserLocation };
}
