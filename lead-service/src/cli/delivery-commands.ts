import type { Command } from 'commander';
import { invalidRequest } from '../http/errors.ts';
import { readDeadLetters, replayDeliveries } from '../lead-admin/dead-letters.ts';
import { jsonOption, type JsonOption } from './filter-options.ts';
import { withAdminContext } from './open-admin-context.ts';
import { counted, printStatus, print, printJson, printTable, shortTime, printableLine } from './output.ts';

interface ListOptions extends JsonOption {
  readonly limit: string;
  readonly after?: string;
}

export function addDeliveryCommands(program: Command): void {
  program
    .command('dead-letters')
    .description('list mails and webhooks without retries left, the oldest first')
    .option('--limit <number>', 'maximum number of rows', '50')
    .option('--after <id>', 'continue after this dead letter')
    .option(...jsonOption)
    .action(async ({ limit, after, json }: ListOptions) => {
      const max = Number(limit);
      if (!(Number.isInteger(max) && max > 0)) throw invalidRequest('limit must be a whole number above 0.');
      const letters = await withAdminContext((context) =>
        readDeadLetters(context, { limit: max, ...(after !== undefined && { after }) }),
      );
      if (json) return printJson(letters);
      if (letters.length === 0) return printStatus('There are no dead letters.');
      printTable(
        ['Given up, id', 'What', 'Last answer'],
        letters.map(({ id, finishedAt, kind, target, attempts, lastStatus, lastAnswer }) => [
          `${shortTime(finishedAt ?? '')}\n${id}`,
          `${kind}${target && ` ${printableLine(target, 40)}`}\n${counted(attempts, 'attempt')}`,
          `${lastStatus ?? 'no status'}\n${printableLine(lastAnswer ?? '', 40)}`,
        ]),
      );
    });
  program
    .command('replay [ids...]')
    .description('send dead letters again')
    .option('--all', 'all dead letters')
    .option(...jsonOption)
    .action(async (ids: string[], { all = false, json }: JsonOption & { readonly all?: boolean }) => {
      if (all === ids.length > 0) throw invalidRequest('Name the dead letters, or use --all.');
      const replayed = await withAdminContext((context) => replayDeliveries(context, all ? 'all' : ids));
      if (json) printJson({ replayed });
      else print(`${counted(replayed, 'delivery', 'deliveries')} will be tried again.`);
    });
}
