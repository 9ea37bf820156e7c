import { Command } from 'commander';
import { addChangeCommands } from './change-commands.ts';
import { addDeliveryCommands } from './delivery-commands.ts';
import { addExportCommand } from './export-command.ts';
import { addMaintenanceCommands } from './maintenance-commands.ts';
import { addPrivacyCommands } from './privacy-commands.ts';
import { addReadCommands } from './read-commands.ts';

export function createProgram(): Command {
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
