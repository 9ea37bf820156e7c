import { partNames, type PartName } from '@countersign/contracts/remotes';
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
 * @param build what a client has sent to the release server with a call of `publish`
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

export interface CommandCall<Options = object> extends CommandContext {
  /** Arguments, in the order of the usage. */
  readonly args: readonly string[];
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
  /** The right of the owners' file that the releaser needs on the part in the first argument; without a part there, on the shell. */
  readonly neededRight?: Right;
  /** Whether it can run for hours, and shuts down gracefully on SIGTERM. */
  readonly isLongRunning?: boolean;
  /** Whether the release server runs it for its clients. Other commands use files or ports of the releaser's machine. */
  readonly runsOnServer?: boolean;
  /** Whether the release server runs it with these arguments; by default, with all. */
  acceptsOnServer?(args: readonly string[], options: Options): boolean;
  /** Resolves to what it prints; `undefined` if it has printed that already, because it runs until it is stopped. */
  run(call: CommandCall<Options>): Promise<Output | undefined>;
}

export function parsePart(word: string): PartName {
  const part = partNames.find((name) => name === word);
  if (!part) throw new UsageError(`Unknown part "${word}". Known parts: ${partNames.join(', ')}.`);
  return part;
}

/** Maximum of every number. As seconds, it is within the range of timers, 2^31 milliseconds. */
const maxNumber = 1_000_000;

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
    if (isValid(number) && number <= maxNumber) return number;
    const [name] = flags.split(' ');
    if (number > maxNumber) throw new UsageError(`${name} must be at most ${maxNumber}.`);
    throw new UsageError(`${name} must be ${meaning}, but is "${text}".`);
  });
}
