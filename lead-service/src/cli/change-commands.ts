import { Argument, type Command } from 'commander';
import { releaseLead } from '../sales/release-lead.ts';
import { setStatus } from '../sales/set-status.ts';
import { leadStatuses, type LeadStatus } from '../store/tables.ts';
import { jsonOption, type JsonOption } from './filter-options.ts';
import { withDesk } from './open-desk.ts';
import { counted, say, sayJson } from './output.ts';

/** `set-status`, `not-spam`. */
export function addChangeCommands(program: Command): void {
  program
    .command('set-status <id>')
    .description('say what has become of a lead')
    .addArgument(new Argument('<status>').choices(leadStatuses))
    .option(...jsonOption)
    .action(async (id: string, status: LeadStatus, { json }: JsonOption) => {
      await withDesk((desk) => setStatus(desk, id, status));
      if (json) sayJson({ id, status });
      else say(`${id} is ${status}.`);
    });
  program
    .command('not-spam <ids...>')
    .description('take leads out of the quarantine and send what was held back')
    .option(...jsonOption)
    .action(async (ids: string[], { json }: JsonOption) => {
      await withDesk(async (desk) => {
        const released: object[] = [];
        for (const id of ids) {
          const deliveries = await releaseLead(desk, id);
          released.push({ id, deliveries });
          if (!json)
            say(`${id} is out of quarantine; ${counted(deliveries, 'delivery', 'deliveries')} will be made.`);
        }
        if (json) sayJson(released);
      });
    });
}
