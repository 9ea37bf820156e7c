import { partNames } from '@countersign/contracts/remotes';
import { Command } from 'commander';
import { UsageError } from '../platform/release-error.ts';
import { changeCommands } from './change-commands.ts';
import { checkCommand } from './check-command.ts';
import { overrideCommand } from './override-command.ts';
import { parseWords } from './parse-words.ts';
import { jsonOption, type OutputOptions } from './print.ts';
import { publishCommand } from './publish-command.ts';
import type { ReleaseCommand } from './release-command.ts';
import { reportCommands } from './report-commands.ts';
import { watchCommand } from './watch-command.ts';

const parts = `
Parts: ${partNames.join(', ')}
`;

const settings = `
Settings (environment):
  DATA_DIR     folder that holds the store (default .data)
  STORE_URL    a bucket as the store instead: s3://bucket/prefix; S3_ENDPOINT names a server that is not AWS
  RELEASER     name of the releaser (default: the user of this machine)
  OWNERS_FILE  file with the owners of each part (default release/owners.json)
  BROWSER_PATH Chromium or Chrome of the check (default: Playwright's, or one of the system)
  BOARD_PORT   port of the release board
  REPORTS_URL, REPORTS_TOKEN
               origin of the lead service's admin API, and a token, for watch
  RELEASE_URL, RELEASE_TOKEN
               origin of a release server that runs the commands, and a token of this releaser
  OVERRIDE_KEY private key that signs overrides; the page contains the public key
  SITE_ORIGIN, APP_HOST, DEFAULT_THEME
               also in the page. If one of these, or OVERRIDE_KEY, is not set, the page keeps its value.
`;

const exitCodes = `
Exit codes: 0 success, 1 failure, 2 usage error, 3 the change is (or may be) committed, but not complete: do not repeat it.`;

/** In the order of the help. */
const commands: readonly ReleaseCommand[] = [
  publishCommand,
  checkCommand,
  ...changeCommands,
  ...reportCommands,
  watchCommand,
  overrideCommand,
];

/** Prints the help that the release server has found. Releasers get theirs from {@link createCommandLine}. */
const showHelp: ReleaseCommand = {
  usage: 'help <text>',
  description: '',
  isRemote: () => true,
  run: async ({ words: [text = ''] }) => ({ json: text, lines: text.split('\n') }),
};

/** A command, with arguments and options as they were given. */
export interface ParsedCall {
  readonly command: ReleaseCommand;
  readonly name: string;
  readonly words: readonly string[];
  readonly options: OutputOptions & { readonly force?: boolean };
}

/**
 * The command line with the release commands. `run` gets the call that {@link parseWords} finds.
 *
 * @param isServer whether its help is for clients of the release server
 */
export function createCommandLine(
  run: (call: ParsedCall) => Promise<void> | void,
  isServer = false,
): Command {
  const program = new Command(isServer ? 'release' : 'npm run release --')
    .description('Publishes built parts, deploys versions and rolls them back.')
    .addHelpText('after', `${parts}${isServer ? '' : settings}${exitCodes}`)
    .helpCommand('help [command]', 'show the usage of a command')
    .configureHelp({
      subcommandTerm: (command) =>
        `${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim(),
    })
    // Silent, because `usageErrorMessage` formats usage errors.
    .configureOutput({ outputError: () => undefined })
    .exitOverride();
  for (const command of commands) {
    const added = program
      .command(command.usage, { hidden: isServer && !command.isRemote })
      .description(command.description);
    for (const option of [...(command.options ?? []), jsonOption]) added.addOption(option);
    added.action(() => run({ command, name: added.name(), words: added.args, options: added.opts() }));
  }
  return program;
}

/** The command with a name. Throws a {@link UsageError} if there is none. */
export function commandNamed(name: string): ReleaseCommand {
  const command = [...commands, showHelp].find(({ usage }) => usage.split(' ')[0] === name);
  if (!command) throw new UsageError(`Unknown command "${name}".`);
  return command;
}

/** The call that arguments name, without running it; {@link showHelp} if they ask for help. Throws a {@link UsageError}. */
export async function parseCall(words: readonly string[]): Promise<ParsedCall> {
  const calls: ParsedCall[] = [];
  let help = '';
  const program = createCommandLine((parsed) => void calls.push(parsed), true);
  for (const command of [program, ...program.commands]) {
    command.configureOutput({ outputError: () => undefined, writeOut: (text) => (help += text) });
  }
  await parseWords(program, words.length > 0 ? words : ['help']);
  return calls[0] ?? { command: showHelp, name: 'help', words: [help.trimEnd()], options: {} };
}
