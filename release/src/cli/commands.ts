import type { PartName } from '@countersign/contracts/remotes';
import type { Measure } from '../canary/assess-canary.ts';
import type { Right } from '../deploy/owners.ts';
import {
  numberOption,
  overrideOption,
  required,
  switchOption,
  textOption,
  timeOption,
  withDefault,
  type CommandOption,
} from './command-options.ts';

/** Name of an argument → its value. */
interface ArgumentValues {
  readonly part: PartName;
  readonly version: string;
  readonly folder: string;
  readonly url: string;
}
export type ArgumentName = keyof ArgumentValues;

type Options = Readonly<Record<string, CommandOption>>;

/** What is known of a command, as data: the parser, the help, rights and the release server read it here. */
export interface Command {
  readonly description: string;
  /** Its arguments, in their order, before those in `optional`. */
  readonly required?: readonly ArgumentName[];
  readonly optional?: readonly ArgumentName[];
  /** All that it accepts beside `--json`. */
  readonly options?: Options;
  /** The right of the owners' file that the releaser needs on the part in the arguments; without a part there, on the shell. */
  readonly right?: Right;
  /** Whether it can change the page, so that the board is written afterwards. */
  readonly updatesBoard?: boolean;
  /** Whether it can run for hours, and shuts down gracefully on SIGTERM. */
  readonly isLongRunning?: boolean;
  /** Whether the release server runs it for its clients. Other commands use files or ports of the releaser's machine. */
  readonly runsOnServer?: boolean;
}

/** A call of any command. Its arguments and options are valid. */
export interface Call extends Partial<ArgumentValues> {
  readonly name: CommandName;
  /** `json`: print one JSON document on stdout, and nothing else. */
  readonly options: object & { readonly json?: boolean | undefined };
}

/** A command with these arguments and options. */
interface TypedCommand<
  Required extends ArgumentName,
  Optional extends ArgumentName,
  Own extends Options,
> extends Command {
  readonly required?: readonly Required[];
  readonly optional?: readonly Optional[];
  readonly options?: Own;
}

type TypedCall<Required extends ArgumentName, Optional extends ArgumentName, Own extends Options> = Pick<
  ArgumentValues,
  Required
> &
  Partial<Pick<ArgumentValues, Optional>> & {
    readonly options: {
      readonly [Name in keyof Own]: Own[Name] extends CommandOption<infer Value> ? Value : never;
    } & { readonly json?: boolean | undefined };
  };

function define<
  const Required extends ArgumentName = never,
  const Optional extends ArgumentName = never,
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- A command without options of its own.
  Own extends Options = {},
>(command: TypedCommand<Required, Optional, Own>): TypedCommand<Required, Optional, Own> {
  return command;
}

const why = textOption('<reason>', 'why, for the history');
const overrides = {
  why,
  force: overrideOption('deploy in spite of violations; needs --why, and is recorded'),
  inFreeze: overrideOption('deploy in spite of a freeze; needs --why, and is recorded'),
  looksChanged: switchOption(
    'accept other texts of the head, another order, and blocks that are gone; recorded',
  ),
};

const change = { right: 'release', updatesBoard: true, runsOnServer: true } as const;

/** All commands, in the order of the help. */
export const commands = {
  publish: define({
    description: 'store a built part under its version (default folder: dist of the part)',
    required: ['part'],
    optional: ['folder'],
    right: 'publish',
    runsOnServer: true,
  }),
  check: define({
    description: 'check whether a published version can be promoted now',
    required: ['part', 'version'],
    runsOnServer: true,
  }),
  promote: define({
    description: 'make a published version live for everybody',
    required: ['part', 'version'],
    options: overrides,
    ...change,
  }),
  canary: define({
    description: 'give a published version to a share of visitors',
    required: ['part', 'version'],
    options: {
      ...overrides,
      percent: required(
        numberOption(
          '<number>',
          'share of visitors, from 0 to 100',
          'a number from 0 to 100',
          (percent) => percent <= 100,
        ),
      ),
    },
    ...change,
  }),
  rollback: define({
    description: 'end a canary, or go back to the version before or to a named one',
    required: ['part'],
    optional: ['version'],
    options: { why },
    ...change,
  }),
  remove: define({
    description: 'remove a version that is not live, previous or canary, and every stored page that names it',
    required: ['part', 'version'],
    options: { why },
    ...change,
  }),
  freeze: define({
    description: 'refuse changes of a part, or of all, until a time; going back is always allowed',
    optional: ['part'],
    options: {
      until: required(timeOption('<time>', 'when it ends, such as 2026-12-01T08:00Z')),
      why: required(textOption('<reason>', 'why, for everybody who is refused')),
    },
    ...change,
  }),
  unfreeze: define({
    description: 'end a freeze',
    optional: ['part'],
    options: { why },
    ...change,
  }),
  status: define({
    description: 'show the live versions',
    options: {
      verify: switchOption(
        'compare every file of the live release with its published hash, and what visitors get with its pages',
      ),
      site: switchOption('ask the site which release it shows'),
    },
    runsOnServer: true,
  }),
  history: define({
    description: 'show the changes of the page',
    options: {
      most: numberOption(
        '<number>',
        'number of changes to show (default: 20; with --json, all)',
        'a number from 1',
        (most) => Number.isInteger(most) && most > 0,
      ),
    },
    runsOnServer: true,
  }),
  prune: define({
    description: 'remove versions older than 30 days that none of the last 20 releases names',
    options: {
      dryRun: switchOption('only list them'),
      yes: switchOption('confirm that the clock is right and that much is to be removed'),
    },
    ...change,
  }),
  watch: define({
    description: 'assess a canary by the reports of visitors, and roll it back if it is worse',
    required: ['part'],
    options: {
      views: withDefault(numberOption('<number>', 'views of the canary that an assessment needs'), 200),
      loss: withDefault(
        numberOption(
          '<percent>',
          'smallest loss of leads that must have been noticed',
          'a number above 0 and up to 100',
          (percent) => percent > 0 && percent <= 100,
        ),
        100,
      ),
      without: judgedWithout(),
      minutes: {
        ...withDefault(numberOption('<number>', 'timeout of each stage; the canary stays'), 60),
        // A call occupies one of the few processes of the server.
        maxOnServer: 24 * 60,
      },
      interval: withDefault(numberOption('<seconds>', 'between two reads of the reports'), 5),
      promote: switchOption('promote the canary if it is not worse'),
      stages: textOption('<percentages>', 'raise the canary step by step, such as 5,25,100; 100 promotes it'),
    },
    isLongRunning: true,
    ...change,
  }),
  probe: define({
    description: 'follow the journeys of all parts on a live site; sends no lead',
    required: ['url'],
    options: {
      every: numberOption('<minutes>', 'again after each interval, until it is stopped'),
      metrics: textOption('<file>', 'write the result to a file in the format of Prometheus'),
    },
    isLongRunning: true,
  }),
  serve: define({
    description:
      'serve the live page on PORT (default 3000) and the release board on BOARD_PORT (default 3003), and proxy /api to the lead service on LEADS_PORT (default 3001)',
  }),
};

function judgedWithout(): CommandOption<readonly Measure[] | undefined> {
  return {
    placeholder: '<measures...>',
    description: 'judge it without leads or failures, and record that',
    choices: ['leads', 'failed'],
  };
}

export type CommandName = keyof typeof commands;

type Calls = {
  readonly [Name in CommandName]: (typeof commands)[Name] extends TypedCommand<
    infer Required,
    infer Optional,
    infer Own
  >
    ? { readonly name: Name } & TypedCall<Required, Optional, Own>
    : never;
};

/** A call of one command, or of any, which its name tells. */
export type CallOf<Name extends CommandName = CommandName> = Calls[Name];

export function commandOf({ name }: Call): Command {
  return commands[name];
}

/** The options of a call that have a value: name, definition and value. */
function givenOptions(call: Call) {
  const values = new Map<string, unknown>(Object.entries(call.options));
  return Object.entries(commandOf(call).options ?? {})
    .map(([name, definition]) => ({ name, definition, value: values.get(name) }))
    .filter(({ value }) => value !== undefined);
}

/** Names of the options in a call that override a refusal. */
export function overridesOf(call: Call): readonly string[] {
  return givenOptions(call).flatMap(({ name, definition }) => (definition.isOverride ? [name] : []));
}

/** Whether the release server runs a call. A folder would be one of the server's machine. */
export function runsOnServer(call: Call): boolean {
  const isLimited = givenOptions(call).every(
    ({ definition: { maxOnServer = Infinity }, value }) => typeof value !== 'number' || value <= maxOnServer,
  );
  return (commandOf(call).runsOnServer ?? false) && call.folder === undefined && isLimited;
}
