/** The release command: `npm run release -- help`. */
import { partNames } from '@countersign/contracts/remotes';
import { Command, CommanderError } from 'commander';
import { addChangeCommands } from './commands/change-commands.ts';
import { openContext } from './commands/command-context.ts';
import { addPublishCommand } from './commands/publish-command.ts';
import { addReportCommands } from './commands/report-commands.ts';
import { addWatchCommand } from './commands/watch-command.ts';
import { readConfig } from './config.ts';
import { runCommand } from './run-command.ts';
import { serve } from './serve.ts';
import { stopSignal } from './stop-signal.ts';

/** Exit code of a call whose words are off. */
const usageFault = 2;

const settings = `
Parts: ${partNames.join(', ')}
DATA_DIR chooses the store (default .data), RELEASER names who releases (default: the user of this machine).`;

const open = () => openContext(readConfig());
const program = new Command('npm run release --')
  .description('Stores built parts, makes versions live and takes them back.')
  .addHelpText('after', settings)
  .exitOverride()
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) });

addPublishCommand(program, open);
addChangeCommands(program, open);
addReportCommands(program, open);
addWatchCommand(program, open);
program
  .command('serve')
  .description(
    'serve what is live on PORT (default 3000), with /api passed on to the lead service on LEADS_PORT (default 3001)',
  )
  .action(async () => {
    const { objects, config } = open();
    await serve(objects, config, stopSignal());
  });

await runCommand(async () => {
  try {
    await program.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'help']);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // It has been said already, help as well as faults.
    process.exitCode = error.exitCode === 0 ? 0 : usageFault;
  }
});
