import type { Command } from 'commander';
import { readAdminContextConfig } from '../config.ts';
import { moveToPostgres } from '../lead-admin/move-to-postgres/move-to-postgres.ts';
import { StartupError } from '../platform/startup-error.ts';
import { jsonOption, type JsonOption } from './filter-options.ts';
import { withAdminContext } from './open-admin-context.ts';
import { counted, print, printJson, printStatus } from './output.ts';

export function addMoveCommand(program: Command): void {
  program
    .command('move-to-postgres')
    .description(
      'move all leads from SQLite in DATA_DIR to DATABASE_URL, as soon as the service on SQLite stops',
    )
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      const settings = readAdminContextConfig();
      if (settings.valid && settings.config.database.kind === 'sqlite') {
        throw new StartupError('Set DATABASE_URL to the PostgreSQL database that the leads shall move to.');
      }
      const result = await withAdminContext((context) => moveToPostgres(context, printStatus), {
        mayCreate: true,
      });
      if (json) return printJson(result);
      const { moved, merged, target, backup } = result;
      print(
        `${counted(moved.leads ?? 0, 'lead')}, ${counted(moved.outbox ?? 0, 'delivery', 'deliveries')} and ${counted(moved.auditEntries ?? 0, 'audit entry', 'audit entries')} are in ${target}, and are equal there.`,
      );
      if (merged > 0) print(`${counted(merged, 'lead')} had been sent again and stored there already.`);
      print(
        `${backup} is the old file, which nothing uses any more. It holds personal data that no erasure reaches: delete it within 30 days.`,
      );
    });
}
