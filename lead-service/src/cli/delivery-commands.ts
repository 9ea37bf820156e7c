import type { Command } from 'commander';
import { readDeadLetters, replayDeliveries } from '../sales/replay-deliveries.ts';
import { invalidRequest } from '../sales/sales-errors.ts';
import { jsonOption, type JsonOption } from './filter-options.ts';
import { withDesk } from './open-desk.ts';
import { counted, note, say, sayJson, sayTable, shortTime } from './output.ts';
import { printableLine } from './printable.ts';

interface ListOptions extends JsonOption {
  readonly limit: string;
  readonly after?: string;
}

/** `dead-letters`, `replay`. */
export function addDeliveryCommands(program: Command): void {
  program
    .command('dead-letters')
    .description('mails and webhooks that were given up, the oldest first')
    .option('--limit <number>', 'at most so many', '50')
    .option('--after <id>', 'go on after this one')
    .option(...jsonOption)
    .action(async ({ limit, after, json }: ListOptions) => {
      const most = Number(limit);
      if (!(Number.isInteger(most) && most > 0))
        throw invalidRequest('limit must be a whole number above 0.');
      const letters = await withDesk((desk) =>
        readDeadLetters(desk, { limit: most, ...(after !== undefined && { after }) }),
      );
      if (json) return sayJson(letters);
      if (letters.length === 0) return note('Nothing was given up.');
      sayTable(
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
    .description('send mails and webhooks again that were given up')
    .option('--all', 'all that were given up')
    .option(...jsonOption)
    .action(async (ids: string[], { all = false, json }: JsonOption & { readonly all?: boolean }) => {
      if (all === ids.length > 0) throw invalidRequest('Name what to send again, or say --all.');
      const replayed = await withDesk((desk) => replayDeliveries(desk, all ? 'all' : ids));
      if (json) sayJson({ replayed });
      else say(`${counted(replayed, 'delivery', 'deliveries')} will be tried again.`);
    });
}
