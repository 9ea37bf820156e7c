/** The command line of sales: `npm run leads -- help`. */
import { CommanderError, Command } from 'commander';
import { HttpError } from '../http/http-error.ts';
import { describeError } from '../platform/log.ts';
import { StartupError } from '../platform/startup-error.ts';
import { isClosedPipe, printStatus, watchOutputPipes } from './output.ts';
import { addChangeCommands } from './change-commands.ts';
import { addDeliveryCommands } from './delivery-commands.ts';
import { addExportCommand } from './export-command.ts';
import { addMaintenanceCommands } from './maintenance-commands.ts';
import { addPrivacyCommands } from './privacy-commands.ts';
import { addReadCommands } from './read-commands.ts';

const failure = 1;
const wrongUsage = 2;

/** Runs one command and returns the exit code: 0 success, 1 error, 2 wrong usage. */
async function run(): Promise<number> {
  try {
    await createProgram().parseAsync();
    return 0;
  } catch (error) {
    if (isClosedPipe(error)) return 0;
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : wrongUsage;
    if (error instanceof HttpError) {
      printStatus(error.message);
      return error.status === 422 ? wrongUsage : failure;
    }
    printStatus(error instanceof StartupError ? error.message : `Unexpected error: ${describeError(error)}`);
    return failure;
  }
}

watchOutputPipes();
process.exitCode = await run();

function createProgram(): Command {
  const program = new Command('leads')
    .description('Work with the leads of the site while the service runs.')
    .addHelpText(
      'after',
      `
The commands use the environment of the service: DATA_DIR (default .data), DATABASE_URL, RETENTION_DAYS_….
Every command that reads or changes a lead has an entry in the audit log. Times are UTC.
Exit codes: 0 success, 1 error (one sentence on stderr), 2 wrong usage.`,
    )
    .exitOverride();
  addReadCommands(program);
  addChangeCommands(program);
  addExportCommand(program);
  addDeliveryCommands(program);
  addPrivacyCommands(program);
  addMaintenanceCommands(program);
  return program;
}
