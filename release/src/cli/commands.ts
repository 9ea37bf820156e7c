import { partNames, type PartName } from '@countersign/contracts/remotes';
import { wholeNumber } from '@countersign/contracts/settings';
import * as z from 'zod';
import { smallestLoss } from '../canary/assess-canary.ts';
import type { Permission, Right } from '../deploy/owners.ts';
import {
  flagOf,
  futureTime,
  maxNumber,
  numberFrom,
  option,
  partArgument as part,
  positiveNumber,
  stages,
  switchOption,
  versionsArgument as versions,
} from './command-options.ts';
import type { Versions } from '../store/versions.ts';

/** A command as data: the parser, the help, rights and the release server read it here. */
export interface Command {
  readonly description: string;
  /** Arguments of the command, in their order, and its options. */
  readonly input: z.ZodObject;
  /** The right of the owners' file that the releaser needs on each part in the arguments; without a part there, on the shell. */
  readonly right?: Right;
  /** Whether the release server runs it for its clients. Other commands use files or ports of the releaser's machine. */
  readonly runsOnServer?: boolean;
}

/** `json`: print one JSON document on stdout, and nothing else. */
const inputOf = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ ...shape, json: switchOption('print the outcome as JSON') });

const version = z.string();
const why = option('<reason>', 'why, for the history', z.string().optional());
const changeOptions = {
  why,
  force: switchOption('deploy in spite of violations; needs --why, and is recorded'),
  inFreeze: switchOption('deploy in spite of a freeze; needs --why, and is recorded'),
  looksChanged: switchOption(
    'accept other texts of the head, another order, and what is gone or hidden; recorded',
  ),
};

/** A command that can change the page. */
const changesPage = { right: 'release', runsOnServer: true } as const;

/** All commands, in the order of the help. */
export const commands = {
  publish: {
    description: 'store a built part under its version (default folder: dist of the part)',
    input: inputOf({ part, folder: z.string().optional() }),
    right: 'publish',
    runsOnServer: true,
  },
  check: {
    description: 'check whether a published version, or several as one change, can be promoted now',
    input: inputOf({ versions }),
    runsOnServer: true,
  },
  promote: {
    description: 'make a published version, or several as one change, live for everybody',
    input: inputOf({ versions, ...changeOptions }),
    ...changesPage,
  },
  canary: {
    description: 'give a published version, or several together, to a share of visitors',
    input: inputOf({
      versions,
      ...changeOptions,
      percent: option('<number>', 'share of visitors, from 0 to 100', numberFrom(0, 100)),
    }),
    ...changesPage,
  },
  rollback: {
    description: 'end a canary, or go back to the version before or to a named one that was live',
    input: inputOf({ part, version: version.optional(), why }),
    ...changesPage,
  },
  remove: {
    description: 'remove a version that is not live, previous or canary, and every stored page that names it',
    input: inputOf({ part, version, why }),
    ...changesPage,
  },
  freeze: {
    description:
      'refuse promotions and canaries of a part, or of all, until a time; "rollback" is always allowed',
    input: inputOf({
      part: part.optional(),
      until: option('<time>', 'when it ends, such as 2026-12-01T08:00Z', futureTime),
      why: option('<reason>', 'why, for everybody who is refused', z.string()),
    }),
    ...changesPage,
  },
  unfreeze: {
    description: 'end a freeze',
    input: inputOf({ part: part.optional(), why }),
    ...changesPage,
  },
  status: {
    description: 'show the live versions',
    input: inputOf({
      verify: switchOption(
        'compare every file of the live release in the store with its published hash; in a directory, also what visitors get with its pages',
      ),
      site: switchOption('ask the site which release it shows'),
    }),
    runsOnServer: true,
  },
  history: {
    description: 'show the changes of the page',
    input: inputOf({
      most: option(
        '<number>',
        'number of changes to show (default: 20; with --json, all)',
        wholeNumber(1, maxNumber).optional(),
      ),
    }),
    runsOnServer: true,
  },
  prune: {
    description:
      'remove versions older than 30 days that no release of the last 30 days, or of the last 20, names',
    input: inputOf({
      dryRun: switchOption('only list them'),
      yes: switchOption('confirm that the clock is right and that much is to be removed'),
    }),
    ...changesPage,
  },
  watch: {
    description: 'assess a canary by the reports of visitors, and roll it back if it is worse',
    input: inputOf({
      part,
      views: option(
        '<number>',
        'views of the canary that an assessment needs',
        positiveNumber().default(200),
      ),
      loss: option(
        '<percent>',
        `smallest loss of leads that must have been noticed, at least ${smallestLoss} (default: 100)`,
        numberFrom(smallestLoss, 100).optional(),
      ),
      without: option(
        '<leads|failed...>',
        'do not wait for leads or failures (a proven fault still rolls back), and record that',
        z.array(z.enum(['leads', 'failed'], 'takes leads, failed or both.')).optional(),
      ),
      minutes: option('<number>', 'timeout of each stage; the canary stays', positiveNumber().default(60)),
      interval: option('<seconds>', 'between two reads of the reports', positiveNumber().default(5)),
      promote: switchOption('promote the canary if it is not worse'),
      stages: option(
        '<percentages>',
        'raise the canary step by step, such as 5,25,100; 100 promotes it',
        stages.optional(),
      ),
    })
      .refine(({ promote, stages: named }) => !promote || !named, {
        path: ['promote'],
        error: 'is the same as --stages 100. Give only one of both.',
      })
      .refine(({ loss, without = [] }) => loss === undefined || !without.includes('leads'), {
        path: ['loss'],
        error: 'is of leads, for which --without leads does not wait. Give only one of both.',
      }),
    ...changesPage,
  },
  bisect: {
    description: 'name the versions that broke the journeys of the live page',
    input: inputOf({ journey: option('<name>', 'only this one', z.string().optional()) }),
    runsOnServer: true,
  },
  probe: {
    description: 'follow the journeys of all parts on a live site; sends no lead',
    input: inputOf({
      url: z.string(),
      every: option(
        '<minutes>',
        'again after each interval, at most a week, until it is stopped',
        positiveNumber(7 * 24 * 60).optional(),
      ),
      metrics: option('<file>', 'write the result to a file in Prometheus format', z.string().optional()),
      bisect: switchOption('name the versions of the store that broke a journey'),
    }),
  },
  serve: {
    description:
      'serve the live page on PORT (default 3000) and the release board on BOARD_PORT (default 3003), and proxy /api to the lead service on LEADS_PORT (default 3001)',
    input: inputOf({}),
  },
} satisfies Readonly<Record<string, Command>>;

export type CommandName = keyof typeof commands;

type CallsByName = {
  readonly [Name in CommandName]: { readonly name: Name } & Readonly<
    z.infer<(typeof commands)[Name]['input']>
  >;
};

/** A call of one command, or of any, which its name tells. Its arguments and options are valid. */
export type CallOf<Name extends CommandName = CommandName> = CallsByName[Name];

/** The fields that the calls of all commands have. */
interface BaseCall {
  readonly name: CommandName;
  readonly part?: PartName | undefined;
  readonly versions?: Versions | undefined;
  readonly folder?: string | undefined;
  readonly minutes?: number | undefined;
  readonly force?: boolean | undefined;
  readonly inFreeze?: boolean | undefined;
}

export function commandOf({ name }: BaseCall): Command {
  return commands[name];
}

/** The options in a call that override a refusal. They need `--why`, and only owners of the shell may use them. */
export function overridesOf(call: BaseCall): readonly string[] {
  return (['force', 'inFreeze'] as const).filter((option) => call[option]);
}

/**
 * The right that the owners' file must grant for a call; `undefined` if every releaser may make it. A call without a part concerns the
 * whole page, which belongs to the owners of the shell.
 */
export function permissionOf(call: BaseCall): Permission | undefined {
  const { right } = commandOf(call);
  const { part = 'shell', versions } = call;
  const parts = versions ? partNames.filter((name) => name in versions) : [part];
  return right && { right, parts, overrides: overridesOf(call).map(flagOf) };
}

/** Minutes that the release server runs a stage of `watch` at most, because the call occupies one of its few processes. */
const maxMinutes = 24 * 60;

/** Whether the release server runs a call, and not only others of its command. A folder would be one of the server's machine. */
export function serverAccepts(call: BaseCall): boolean {
  const { folder, minutes = 0 } = call;
  return (commandOf(call).runsOnServer ?? false) && folder === undefined && minutes <= maxMinutes;
}
