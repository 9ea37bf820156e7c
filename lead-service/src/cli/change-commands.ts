import { Argument, type Command } from 'commander';
import { leadStatuses, type LeadStatus } from '../database/tables.ts';
import { releaseLead } from '../lead-admin/release-lead.ts';
import { setStatus } from '../lead-admin/set-status.ts';
import { jsonOption, type JsonOption } from './filter-options.ts';
import { withAdminContext } from './open-admin-context.ts';
import { counted, print, printJson } from './output.ts';

/** `set-status`, `not-spam`. */
export function addChangeCommands(program: Command): void {
  program
    .command('set-status <id>')
    .description('set the status of a lead')
    .addArgument(new Argument('<status>').choices(leadStatuses))
    .option(...jsonOption)
    .action(async (id: string, status: LeadStatus, { json }: JsonOption) => {
      await withAdminContext((context) => setStatus(context, id, status));
      if (json) printJson({ id, status });
      else print(`${id} is ${status}.`);
    });
  program
    .command('not-spam <ids...>')
    .description('release leads from quarantine and send their held deliveries')
    .option(...jsonOption)
    .action(async (ids: string[], { json }: JsonOption) => {
      await withAdminContext(async (context) => {
        const released: object[] = [];
        for (const id of ids) {
          const deliveries = await releaseLead(context, id);
          released.push({ id, deliveries });
          if (!json)
            print(
              `${id} is out of quarantine; ${counted(deliveries, 'delivery', 'deliveries')} will be made.`,
            );
        }
        if (json) printJson(released);
      });
    });
}
