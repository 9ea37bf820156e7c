import type { Command } from 'commander';
import { invalidRequest } from '../http/errors.ts';
import { erasePerson } from '../lead-admin/erase-person.ts';
import type { RelatedLead } from '../lead-admin/related-leads.ts';
import { describeClockJump, findClockJump } from '../lead-admin/retention-clock.ts';
import { applyRetention } from '../lead-admin/apply-retention.ts';
import { StartupError } from '../platform/startup-error.ts';
import { readEmail } from './email-argument.ts';
import { jsonOption, type JsonOption } from './filter-options.ts';
import { withAdminContext } from './open-admin-context.ts';
import { counted, printStatus, print, printJson } from './output.ts';

interface PruneOptions extends JsonOption {
  readonly clockIsRight?: boolean;
}

export function addPrivacyCommands(program: Command): void {
  program
    .command('erase <email>')
    .description('erase all data of one person permanently; "-" reads the address from stdin')
    .option('--yes', 'confirm the erasure')
    .option(...jsonOption)
    .action(async (argument: string, { yes, json }: JsonOption & { readonly yes?: boolean }) => {
      const email = await readEmail(argument);
      if (!yes) throw invalidRequest('Nothing was erased. This cannot be undone: add --yes to do it.');
      const erased = await withAdminContext((context) => erasePerson(context, email));
      if (json) printJson(erased);
      else {
        print(`${counted(erased.leads + erased.spooled, 'lead')} erased.`);
        printRelated(erased.related);
      }
    });
  program
    .command('prune')
    .description('erase leads past their retention limit, as the service does every hour')
    .option('--clock-is-right', 'confirm the clock if the last run was more than a day ago')
    .option(...jsonOption)
    .action(async ({ clockIsRight = false, json }: PruneOptions) => {
      const result = await withAdminContext(async (context, { retention }) => {
        const jump = await findClockJump(context.database.db, retention, new Date());
        if (jump !== undefined && !clockIsRight) throw new StartupError(describeClockJump(jump));
        return applyRetention(context, retention, {
          erased: (leads) => printStatus(`${counted(leads, 'lead')} erased …`),
        });
      });
      if (json) printJson(result);
      else
        print(
          `${counted(result.leads, 'lead')} erased, ${counted(result.expired, 'expired record')} removed.`,
        );
    });
}

function printRelated(related: readonly RelatedLead[] | null): void {
  if (related === null) {
    return print(
      'Other leads that may be about this person could not be searched: use "search" with the name.',
    );
  }
  if (related.length === 0) return;
  print(
    `${counted(related.length, 'other lead')} may be about this person, and stay. Read them with "show", and erase their addresses if they are:`,
  );
  for (const { id, why } of related) print(`${id}  ${why}`);
}
