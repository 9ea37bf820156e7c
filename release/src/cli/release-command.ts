import { partNames, remoteNames, type PartName, type RemoteName } from '@countersign/contracts/remotes';
import { Option } from 'commander';
import type { Right } from '../deploy/owners.ts';
import type { ReleaseConfig } from '../config.ts';
import type { ResolveSiteConfig } from '../deploy/deploy-release.ts';
import type { CallMessage } from '../release-server/running-calls.ts';
import { UsageError } from '../store/release-error.ts';
import { openStore } from '../store/open-store.ts';
import { ReleaseStore } from '../store/release-store.ts';
import type { Output, OutputOptions } from './print.ts';

export type CommandContext = ReturnType<typeof openContext>;

/**
 * Configuration and store of a command.
 *
 * @param build that a client has sent to the release server
 */
export function openContext(config: ReleaseConfig, build?: CallMessage['build']) {
  const store = new ReleaseStore(openStore(config.store));
  // Explicit settings, else those of the live page, else the defaults.
  const resolveSiteConfig: ResolveSiteConfig = (before) => ({
    ...config.site,
    ...before,
    ...config.explicitSite,
  });
  return { build, config, store, resolveSiteConfig };
}

/** A call of a command. */
export interface CommandCall<Options = object> extends CommandContext {
  /** Arguments, in the order of the usage. */
  readonly words: readonly string[];
  readonly options: Options & OutputOptions;
}

/** A command of the tool, as data. Each accepts `--json` as well. */
export interface ReleaseCommand<Options = object> {
  /** Name and arguments. */
  readonly usage: string;
  readonly description: string;
  readonly options?: readonly Option[];
  /** Whether it can change the page, so that the board is written afterwards. */
  readonly updatesBoard?: boolean;
  /** The right that the releaser needs on the part of the first argument, or on the shell if the command takes no part. */
  readonly needs?: Right;
  /** Whether it ends properly on SIGTERM, because it could go on for hours. */
  readonly goesOn?: boolean;
  /**
   * Whether the release server runs a call. No argument or option of such a call may name a file or port of the releaser's
   * machine. Without this function it runs none.
   */
  runsOnServer?(words: readonly string[], options: Options): boolean;
  /** Resolves to what it prints; `undefined` if it has printed that already, because it goes on until it is stopped. */
  run(call: CommandCall<Options>): Promise<Output | undefined>;
}

export function parsePart(word: string): PartName {
  const part = partNames.find((name) => name === word);
  if (!part) throw new UsageError(`Unknown part "${word}". Known parts: ${partNames.join(', ')}.`);
  return part;
}

export function parseRemote(word: string): RemoteName {
  const remote = remoteNames.find((name) => name === word);
  if (!remote) throw new UsageError(`Unknown remote "${word}". Known remotes: ${remoteNames.join(', ')}.`);
  return remote;
}

/** Finite, and as seconds in a timer still below its limit of 2^31 milliseconds. */
const largest = 1_000_000;

/**
 * An option with a number up to a million, which may have decimals. Other texts are a {@link UsageError}.
 *
 * @param meaning what the number must be, such as `a number from 0 to 100`
 */
export function numberOption(
  flags: string,
  description: string,
  meaning = 'a number above 0',
  isValid = (number: number) => number > 0,
): Option {
  return new Option(flags, description).argParser((text: string) => {
    const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (isValid(number) && number <= largest) return number;
    const [name] = flags.split(' ');
    if (number > largest) throw new UsageError(`${name} must be at most ${largest}.`);
    throw new UsageError(`${name} must be ${meaning}, but is "${text}".`);
  });
}
