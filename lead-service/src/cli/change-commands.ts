import { Argument, type Command } from 'commander';
import { leadStatuses, type LeadStatus } from '../database/tables.ts';
import type { AdminContext } from '../lead-admin/admin-context.ts';
import { holdLead, setStatus, releaseLead } from '../lead-admin/change-lead.ts';
import { jsonOption, type JsonOption } from './filter-options.ts';
import { withAdminContext } from './open-admin-context.ts';
import { counted, print, printJson } from './output.ts';

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
    .command('spam <ids...>')
    .description('put leads into quarantine, with the deliveries that are not made yet')
    .option(...jsonOption)
    .action((ids: string[], { json }: JsonOption) =>
      changeEach(
        ids,
        json,
        holdLead,
        (id, held) => `${id} is in quarantine; ${counted(held, 'delivery is', 'deliveries are')} held.`,
      ),
    );
  program
    .command('not-spam <ids...>')
    .description('release leads from quarantine and send their held deliveries')
    .option(...jsonOption)
    .action((ids: string[], { json }: JsonOption) =>
      changeEach(
        ids,
        json,
        releaseLead,
        (id, released) =>
          `${id} is out of quarantine; ${counted(released, 'delivery', 'deliveries')} will be made.`,
      ),
    );
}

/**
 * Changes one lead after the other, and prints each one, so also those before an error: they are changed.
 *
 * @param change returns the number of deliveries that it held or released
 */
async function changeEach(
  ids: readonly string[],
  json: boolean | undefined,
  change: (context: AdminContext, id: string) => Promise<number>,
  describe: (id: string, deliveries: number) => string,
): Promise<void> {
  await withAdminContext(async (context) => {
    const changed: object[] = [];
    try {
      for (const id of ids) {
        const deliveries = await change(context, id);
        changed.push({ id, deliveries });
        if (!json) print(describe(id, deliveries));
      }
    } finally {
      if (json) printJson(changed);
    }
  });
}
