import type { Command } from 'commander';
import { erasePerson } from '../privacy/erase-person.ts';
import { describeClockJump, findClockJump } from '../privacy/retention-clock.ts';
import { sweep } from '../privacy/sweep.ts';
import { invalidRequest } from '../sales/sales-errors.ts';
import { readSuppressed, setSuppressed } from '../sales/suppress.ts';
import { StartFailure } from '../start-failure.ts';
import type { SuppressedAddressRow } from '../store/tables.ts';
import { readEmail } from './email-argument.ts';
import { jsonOption, type JsonOption } from './filter-options.ts';
import { withDesk } from './open-desk.ts';
import { counted, note, say, sayJson, sayTable, shortTime } from './output.ts';

interface SuppressOptions extends JsonOption {
  readonly allow?: boolean;
  readonly list?: boolean;
}

interface PruneOptions extends JsonOption {
  readonly clockIsRight?: boolean;
}

/** `erase`, `prune`, `suppress`. */
export function addPrivacyCommands(program: Command): void {
  program
    .command('erase <email>')
    .description('erase everything held of one person, for good; "-" reads the address from stdin')
    .option('--yes', 'really do it')
    .option(...jsonOption)
    .action(async (argument: string, { yes, json }: JsonOption & { readonly yes?: boolean }) => {
      const email = await readEmail(argument);
      if (!yes) throw invalidRequest('Nothing was erased. This cannot be undone: add --yes to do it.');
      const erased = await withDesk((desk) => erasePerson(desk, email));
      if (json) sayJson(erased);
      else say(`${counted(erased.leads + erased.spooled, 'lead')} erased.`);
    });
  program
    .command('prune')
    .description('erase what has been kept for long enough, as the service does every hour')
    .option('--clock-is-right', 'although more than a day has passed since the last time')
    .option(...jsonOption)
    .action(async ({ clockIsRight = false, json }: PruneOptions) => {
      const swept = await withDesk(async (desk, { retention }) => {
        const jump = await findClockJump(desk.database.db, retention, new Date());
        if (jump !== undefined && !clockIsRight) throw new StartFailure(describeClockJump(jump));
        return sweep(desk, retention, { erased: (leads) => note(`${counted(leads, 'lead')} erased …`) });
      });
      if (json) sayJson(swept);
      else
        say(`${counted(swept.leads, 'lead')} erased, ${counted(swept.expired, 'expired record')} removed.`);
    });
  program
    .command('suppress [email]')
    .description('send no confirmations to an address; "-" reads it from stdin')
    .option('--allow', 'send them again')
    .option('--list', 'show which addresses get none, as hashes')
    .option(...jsonOption)
    .action(async (argument: string | undefined, { allow = false, list = false, json }: SuppressOptions) => {
      if (list === (argument !== undefined)) throw invalidRequest('Name an address, or say --list.');
      if (argument === undefined) return saySuppressed(await withDesk(readSuppressed), json);
      const email = await readEmail(argument);
      await withDesk((desk) => setSuppressed(desk, email, !allow));
      if (json) sayJson({ suppressed: !allow });
      else say(`This address gets ${allow ? 'confirmations again' : 'no confirmations any more'}.`);
    });
}

function saySuppressed(addresses: readonly SuppressedAddressRow[], json = false): void {
  if (json) return sayJson(addresses);
  if (addresses.length === 0) return note('Every address gets confirmations.');
  sayTable(
    ['Since', 'SHA-256 of the address', 'Why'],
    addresses.map(({ createdAt, addressHash, reason }) => [shortTime(createdAt), addressHash, reason]),
  );
}
