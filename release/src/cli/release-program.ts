import { partNames } from '@countersign/contracts/remotes';
import { Command, CommanderError } from 'commander';
import { readConfig } from '../config.ts';
import { UsageError } from '../platform/release-error.ts';
import { runCommand } from '../platform/run-command.ts';
import { stopSignal } from '../platform/stop-signal.ts';
import { boardCommand } from './board-command.ts';
import { changeCommands } from './change-commands.ts';
import { changelogCommand } from './changelog-command.ts';
import { checkCommand } from './check-command.ts';
import { openContext } from './command-context.ts';
import { copyCommand } from './copy-command.ts';
import { overrideCommand } from './override-command.ts';
import { print } from './print.ts';
import { publishCommand } from './publish-command.ts';
import type { ReleaseCommand } from './release-command.ts';
import { reportCommands } from './report-commands.ts';
import { typesCommand } from './types-command.ts';
import { updateBoard } from './update-board.ts';
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
  OVERRIDE_KEY private key that signs overrides; the page contains the public key
  SITE_ORIGIN, APP_HOST, DEFAULT_THEME
               also in the page. If one of these, or OVERRIDE_KEY, is not set, the page keeps its value.

Exit codes: 0 success, 1 failure, 2 usage error, 3 the change is (or may be) committed, but not complete: do not repeat it.`;

const open = () => openContext(readConfig());
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
for (const { usage, description, options = [], changesPage, run } of commands) {
  const added = program.command(usage).description(description);
  for (const option of options) added.addOption(option);
  added.option('--json', 'print the outcome as JSON').action(async () => {
    const output = await run({ words: added.args, options: added.opts(), open });
    if (output) print(output, added.opts());
    if (changesPage) await updateBoard(open());
  });
}
program
  .command('serve')
  .description(
    'serve the live page on PORT (default 3000) and the release board on BOARD_PORT (default 3003), and proxy /api to the lead service on LEADS_PORT (default 3001)',
  )
  .action(async () => {
    const config = readConfig();
    // Imported on demand, because it takes longer to load than most commands take to run.
    const { serve } = await import('../server/serve.ts');
    await serve(config, stopSignal());
  });

/** Runs `npm run release -- <words>`, and sets the exit code. */
export function runProgram(words: readonly string[]): Promise<void> {
  return runCommand(async () => {
    try {
      await program.parseAsync(words.length > 0 ? words : ['help'], { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (error.exitCode !== 0) throw new UsageError(usageErrorMessage(error));
    }
  });
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
      const [first = ''] = message.replace(/^error: /, '').split('\n');
      return `${first.charAt(0).toUpperCase()}${first.slice(1)}. Show the usage with "--help" after the command.`;
    }
  }
}
