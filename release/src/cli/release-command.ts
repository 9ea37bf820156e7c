import type { Option } from 'commander';
import type { Right } from '../access/owners.ts';
import type { CommandContext } from './command-context.ts';
import type { Output, OutputOptions } from './print.ts';

/** A call of a command. */
export interface CommandCall<Options = object> {
  /** Arguments, in the order of the usage. */
  readonly words: readonly string[];
  readonly options: Options & OutputOptions;
  /** Opens the store. Throws a `ReleaseError` if the configuration is invalid. */
  open(): CommandContext;
}

/** A command of the tool, as data. Each accepts `--json` as well. */
export interface ReleaseCommand<Options = object> {
  /** Name and arguments. */
  readonly usage: string;
  readonly description: string;
  readonly options?: readonly Option[];
  /** Whether it can change the page, so that the board is written afterwards. */
  readonly changesPage?: boolean;
  /** The right that the releaser needs on the part of the first argument, or on the shell if the command takes no part. */
  readonly needs?: Right;
  /** Whether it ends properly on SIGTERM, because it could go on for hours. */
  readonly goesOn?: boolean;
  /**
   * Whether the release server runs a call. No argument or option of such a call may name a file or port of the releaser's
   * machine. Without this function it runs none.
   */
  isRemote?(words: readonly string[], options: Options): boolean;
  /** Resolves to what it prints; `undefined` if it has printed that already, because it goes on until it is stopped. */
  run(call: CommandCall<Options>): Promise<Output | undefined>;
}
