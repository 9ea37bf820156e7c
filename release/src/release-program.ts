import { partNames } from '@countersign/contracts/remotes';
import { Command, CommanderError } from 'commander';
import { addChangeCommands } from './commands/change-commands.ts';
import { addCheckCommand } from './commands/check-command.ts';
import { openContext } from './commands/command-context.ts';
import { addOverrideCommand } from './commands/override-command.ts';
import { addPublishCommand } from './commands/publish-command.ts';
import { addReportCommands } from './commands/report-commands.ts';
import { addWatchCommand } from './commands/watch-command.ts';
import { usageSentence } from './commands/usage-sentence.ts';
import { readConfig } from './config.ts';
import { UsageFault } from './release-fault.ts';
import { runCommand } from './run-command.ts';
import { openDirectoryStore } from './store/open-store.ts';
import { stopSignal } from './stop-signal.ts';

const settings = `
Parts: ${partNames.join(', ')}

Settings (environment):
  DATA_DIR     folder that holds the store (default .data)
  STORE_URL    a bucket as the store instead: s3://bucket/prefix; S3_ENDPOINT names a server that is not AWS
  RELEASER     who releases (default: the user of this machine)
  OWNERS_FILE  who may release which part (default release/owners.json)
  OVERRIDE_KEY signs what "override" shows; its public half goes into the page
  SITE_ORIGIN, APP_HOST and DEFAULT_THEME go into the page as well. Of these four, what is not set stays as it is live.

Exit codes: 0 done, 1 not done, 2 not understood.`;

const open = () => openContext(readConfig());
const program = new Command('npm run release --')
  .description('Stores built parts, makes versions live and takes them back.')
  .addHelpText('after', settings)
  .helpCommand('help [command]', 'how a command is called')
  .configureHelp({
    subcommandTerm: (command) =>
      `${command.name()} ${command.usage().replace('[options]', '').trim()}`.trim(),
  })
  // What is said of a call that is off is said in one place.
  .configureOutput({ outputError: () => undefined })
  .exitOverride();

addPublishCommand(program, open);
addCheckCommand(program, open);
addChangeCommands(program, open);
addReportCommands(program, open);
addWatchCommand(program, open);
addOverrideCommand(program, open);
program
  .command('serve')
  .description(
    'serve what is live on PORT (default 3000), with /api passed on to the lead service on LEADS_PORT (default 3001)',
  )
  .action(async () => {
    const config = readConfig();
    // What serves takes longer to load than most commands take to run.
    const { serve } = await import('./serve.ts');
    await serve(openDirectoryStore(config.store), config, stopSignal());
  });

/** Runs one call of the command, `npm run release -- <words>`, and sets the exit code. */
export function runProgram(words: readonly string[]): Promise<void> {
  return runCommand(async () => {
    try {
      await program.parseAsync(words.length > 0 ? words : ['help'], { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (error.exitCode !== 0) throw new UsageFault(usageSentence(error));
    }
  });
}
