import { partNames } from '@countersign/contracts/remotes';
import { Command, CommanderError, Option } from 'commander';
import { UsageError } from '../platform/release-error.ts';
import { boardCommand } from './board-command.ts';
import { changeCommands } from './change-commands.ts';
import { changelogCommand } from './changelog-command.ts';
import { checkCommand } from './check-command.ts';
import { copyCommand } from './copy-command.ts';
import { overrideCommand } from './override-command.ts';
import type { OutputOptions } from './print.ts';
import { publishCommand } from './publish-command.ts';
import type { ReleaseCommand } from './release-command.ts';
import { reportCommands } from './report-commands.ts';
import { typesCommand } from './types-command.ts';
import { watchCommand } from './watch-command.ts';

const settings = `
Parts: ${partNames.join(', ')}

Settings (environment):
  DATA_DIR     folder that holds the store (default .data)
  STORE_URL    a bucket as the store instead: s3://bucket/prefix; S3_ENDPOINT names a server that is not AWS
  RELEASER     name of the releaser (default: the user of this machine)
  OWNERS_FILE  file with the owners of each part (default release/owners.json)
  BROWSER_PATH Chromium or Chrome of the check (default: Playwright's, or one of the system)
  BOARD_PORT   port of the release board
  REPORTS_URL, REPORTS_TOKEN
               origin of the lead service's admin API, and a token, for watch and the figures of the board
  RELEASE_URL, RELEASE_TOKEN
               origin of a release server that runs the commands, and a token of this releaser
  OVERRIDE_KEY private key that signs overrides; the page contains the public key
  SITE_ORIGIN, APP_HOST, DEFAULT_THEME
               also in the page. If one of these, or OVERRIDE_KEY, is not set, the page keeps its value.

Exit codes: 0 success, 1 failure, 2 usage error, 3 the change is (or may be) committed, but not complete: do not repeat it.`;

/** In the order of the help. */
const commands: readonly ReleaseCommand[] = [
  publishCommand,
  checkCommand,
  ...changeCommands,
  ...reportCommands,
  changelogCommand,
  watchCommand,
  copyCommand,
  overrideCommand,
  typesCommand,
  boardCommand,
];

const json = new Option('--json', 'print the outcome as JSON');

/** A command, with arguments and options as they were given. */
export interface ParsedCall {
  readonly command: ReleaseCommand;
  readonly name: string;
  readonly words: readonly string[];
  readonly options: OutputOptions;
}

/** The command line with the release commands. `run` gets the call that {@link parse} finds. */
export function createCommandLine(run: (call: ParsedCall) => Promise<void> | void): Command {
  const program = new Command('npm run release --')
    .description('Publishes built parts, deploys versions and rolls them back.')
    .addHelpText('after', settings)
    .helpCommand('help [command]', 'show the usage of a command')
    .configureHelp({
      subcommandTerm: (command) =>
        `${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim(),
    })
    // Silent, because `usageErrorMessage` formats usage errors.
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
  for (const command of commands) {
    const added = program.command(command.usage).description(command.description);
    for (const option of [...(command.options ?? []), json]) added.addOption(option);
    added.action(() => run({ command, name: added.name(), words: added.args, options: added.opts() }));
  }
  return program;
}

/** Parses arguments and runs what they name. Throws a {@link UsageError} if they are invalid. */
export async function parse(program: Command, words: readonly string[]): Promise<void> {
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UsageError(usageErrorMessage(error));
  }
}

/** The command with a name. Throws a {@link UsageError} if there is none. */
export function commandNamed(name: string): ReleaseCommand {
  const command = commands.find(({ usage }) => usage.split(' ')[0] === name);
  if (!command) throw new UsageError(`Unknown command "${name}".`);
  return command;
}

/** The call that arguments name, without running it. Throws a {@link UsageError} if they name none. */
export async function parseCall(words: readonly string[]): Promise<ParsedCall> {
  const calls: ParsedCall[] = [];
  const program = createCommandLine((parsed) => void calls.push(parsed));
  for (const command of [program, ...program.commands]) {
    command.configureOutput({ outputError: () => undefined, writeOut: () => undefined });
  }
  await parse(program, words.length > 0 ? words : ['help']);
  const [call] = calls;
  if (!call) throw new UsageError('This is no call of a command. List them with "npm run release -- help".');
  return call;
}

/** Arguments that {@link parse} reads as the same call. */
export function argumentsOf({ command, name, words, options }: ParsedCall): readonly string[] {
  const values = new Map<string, string | number | boolean | undefined>(Object.entries(options));
  const flags = [...(command.options ?? []), json].flatMap((option) => {
    const value = values.get(option.attributeName());
    if (value === undefined || value === false) return [];
    return value === true ? [`${option.long}`] : [`${option.long}=${value}`];
  });
  return [name, ...flags, '--', ...words];
}

/** Message of a usage error: what is wrong with the arguments, and what to do. */
function usageErrorMessage({ code, message }: CommanderError): string {
  const [, word = ''] = /'([^']*)'/.exec(message) ?? [];
  switch (code) {
    case 'commander.unknownCommand':
      return `Unknown command "${word}". List the commands with "npm run release -- help".`;
    case 'commander.missingArgument':
      return word === 'part'
        ? `Missing argument "part". Known parts: ${partNames.join(', ')}.`
        : `Missing argument "${word}". Show the usage with "--help" after the command.`;
    default: {
      const [first = ''] = message
        .replace(/^error: /, '')
        .replace(/\.$/, '')
        .split('\n');
      return `${first.charAt(0).toUpperCase()}${first.slice(1)}. Show the usage with "--help" after the command.`;
    }
  }
}
