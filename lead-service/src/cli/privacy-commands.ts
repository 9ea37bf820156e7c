import type { Command } from 'commander';
import type { SuppressedAddressRow } from '../database/tables.ts';
import { invalidRequest } from '../http/errors.ts';
import { erasePerson } from '../lead-admin/erase-person.ts';
import type { RelatedLead } from '../lead-admin/related-leads.ts';
import { describeClockJump, findClockJump } from '../lead-admin/retention-clock.ts';
import { readSuppressed, setSuppressed } from '../lead-admin/suppress.ts';
import { applyRetention } from '../lead-admin/apply-retention.ts';
import { StartupError } from '../platform/startup-error.ts';
import { readEmail } from './email-argument.ts';
import { jsonOption, type JsonOption } from './filter-options.ts';
import { withAdminContext } from './open-admin-context.ts';
import { counted, printStatus, print, printJson, printTable, shortTime } from './output.ts';

interface SuppressOptions extends JsonOption {
  readonly allow?: boolean;
  readonly list?: boolean;
}

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
  program
    .command('suppress [email]')
    .description('suppress confirmations to an address; "-" reads it from stdin')
    .option('--allow', 'allow confirmations again')
    .option('--list', 'list suppressed addresses, as hashes')
    .option(...jsonOption)
    .action(async (argument: string | undefined, { allow = false, list = false, json }: SuppressOptions) => {
      if (list === (argument !== undefined)) throw invalidRequest('Name an address, or use --list.');
      if (argument === undefined) return printSuppressed(await withAdminContext(readSuppressed), json);
      const email = await readEmail(argument);
      await withAdminContext((context) => setSuppressed(context, email, !allow));
      if (json) printJson({ suppressed: !allow });
      else print(`This address gets ${allow ? 'confirmations again' : 'no confirmations any more'}.`);
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

function printSuppressed(addresses: readonly SuppressedAddressRow[], json = false): void {
  if (json) return printJson(addresses);
  if (addresses.length === 0) return printStatus('Every address gets confirmations.');
  printTable(
    ['Since', 'SHA-256 of the address', 'Why'],
    addresses.map(({ createdAt, addressHash, reason }) => [shortTime(createdAt), addressHash, reason]),
  );
}
