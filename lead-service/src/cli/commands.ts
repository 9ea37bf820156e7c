import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { leadTypes } from '@countersign/contracts/lead';
import { Command, Option } from 'commander';
import {
  adminScopes,
  createToken,
  hashToken,
  tokenName,
  tokenSetting,
  type AdminScope,
} from '../admin/admin-token.ts';
import { invalidRequest } from '../platform/refusal.ts';
import { holdLead, releaseLead } from '../admin/change-leads.ts';
import { discardDeadLetters, listDeadLetters, replayDeliveries } from '../admin/dead-letters.ts';
import { eraseLeadsOf } from '../admin/erase-leads.ts';
import { exportFormats, exportStream, type ExportFormat } from '../admin/export-formats.ts';
import { importLeads } from '../admin/import-leads.ts';
import { parseLeadFilter, quarantineViews, type FilterParameters } from '../admin/lead-filter.ts';
import { listLeads, readAllLeads, readLead } from '../admin/read-leads.ts';
import { applyRetention } from '../admin/retention.ts';
import { withAdminContext } from './open-admin-context.ts';
import { openLines } from './open-lines.ts';
import {
  counted,
  describeLead,
  leadLine,
  print,
  printJson,
  printStatus,
  printableLine,
  shortTime,
  writeToFile,
  writeToStdout,
} from './output.ts';

interface JsonOption {
  readonly json?: boolean;
}

const jsonOption = ['--json', 'print JSON for programs'] as const;

export function createProgram(): Command {
  const program = new Command('leads')
    .description('Work with the leads of the site while the service runs.')
    .addHelpText(
      'after',
      `
The commands use the environment of the service: DATA_DIR (default .data/leads) or DATABASE_URL, also RETENTION_DAYS for
retention, and WEBHOOKS for import. Times are UTC.
Exit codes: 0 success, 1 error (one sentence on stderr), 2 wrong usage.`,
    )
    .exitOverride();
  addReadCommands(program);
  addDeliveryCommands(program);
  addDataCommands(program);
  addTokenCommand(program);
  return program;
}

function addFilterOptions(command: Command): Command {
  return command
    .addOption(new Option('--type <type>', 'type of the lead').choices(leadTypes))
    .option('--since <time>', 'received at this time or later: 2026-11-21 or 2026-11-21T09:30:00Z')
    .option('--until <time>', 'received before this time')
    .addOption(new Option('--quarantine <which>', 'leads in quarantine').choices(quarantineViews));
}

interface ListOptions extends FilterParameters, JsonOption {
  readonly limit: string;
  readonly after?: string;
}

function addReadCommands(program: Command): void {
  addFilterOptions(
    program
      .command('list [text]')
      .description('list the newest leads, or those with a text in name, e-mail, company, message or id'),
  )
    .option('--limit <number>', 'maximum number of rows', '50')
    .option('--after <id>', 'continue after this lead')
    .option(...jsonOption)
    .action(async (searched: string | undefined, { limit, after, json, ...parameters }: ListOptions) => {
      // A search also finds leads in quarantine.
      const filter = parseLeadFilter(parameters, searched === undefined ? 'without' : 'with');
      const page = await withAdminContext((context) =>
        listLeads(context, { filter, text: searched, limit: Number(limit), after }),
      );
      if (json) return printJson(page);
      if (page.leads.length === 0) return printStatus('No leads match.');
      for (const lead of page.leads) print(leadLine(lead));
      if (page.next !== undefined) printStatus(`There are more. Continue with --after ${page.next}`);
    });
  program
    .command('show <id>')
    .description('show one lead: text, origin, deliveries')
    .option(...jsonOption)
    .action(async (id: string, { json }: JsonOption) => {
      const details = await withAdminContext((context) => readLead(context, id));
      if (json) printJson(details);
      else print(describeLead(details));
    });
}

interface DeadLetterOptions extends JsonOption {
  readonly replay?: boolean;
  readonly discard?: boolean;
}

function addDeliveryCommands(program: Command): void {
  program
    .command('spam <ids...>')
    .description('put leads into quarantine, with the deliveries that are not made yet')
    .option('--undo', 'release them from quarantine, and make the held deliveries')
    .action((ids: string[], { undo = false }: { readonly undo?: boolean }) =>
      withAdminContext(async (context) => {
        // Prints each lead at once, because an error about a later one does not undo its change.
        for (const id of ids) {
          const changed = await (undo ? releaseLead : holdLead)(context, id);
          const deliveries = counted(changed, 'delivery', 'deliveries');
          print(
            undo
              ? `${id} is out of quarantine; ${deliveries} to be made.`
              : `${id} is in quarantine; ${deliveries} held.`,
          );
        }
      }),
    );
  program
    .command('dead-letters [ids...]')
    .description('list mails and webhooks without retries left, the oldest first')
    .option('--replay', 'send these now; without ids, all dead letters and all that waits for a retry')
    .addOption(new Option('--discard', 'give up these, which must be named').conflicts('replay'))
    .option(...jsonOption)
    .action(async (ids: string[], { replay, discard, json }: DeadLetterOptions) => {
      if (discard) {
        if (ids.length === 0) throw invalidRequest('Name the dead letters to discard by their ids.');
        const discarded = await withAdminContext((context) => discardDeadLetters(context, ids));
        return print(`${counted(discarded, 'dead letter')} discarded.`);
      }
      if (replay) {
        const replayed = await withAdminContext((context) =>
          replayDeliveries(context, ids.length > 0 ? ids : 'all'),
        );
        return print(`${counted(replayed, 'delivery', 'deliveries')} will be tried again.`);
      }
      if (ids.length > 0) throw invalidRequest('Ids belong to --replay or --discard.');
      const { letters, hasMore } = await withAdminContext(listDeadLetters);
      if (hasMore) printStatus(`There are more. These are the ${letters.length} oldest.`);
      if (json) return printJson(letters);
      if (letters.length === 0) return printStatus('There are no dead letters.');
      for (const { id, finishedAt, kind, target, lastStatus, lastAnswer } of letters) {
        const last = printableLine(`${lastStatus ?? 'no status'} ${lastAnswer ?? ''}`, 80);
        print(`${id}  ${shortTime(finishedAt ?? '')}  ${kind}${target && ` to ${target}`}  ${last}`);
      }
    });
}

interface ExportOptions extends FilterParameters {
  readonly format: ExportFormat;
}

function addDataCommands(program: Command): void {
  addFilterOptions(
    program
      .command('export')
      .description('write leads to stdout, the oldest first, also those in quarantine'),
  )
    .addOption(
      new Option('--format <format>', 'CSV for spreadsheets, or one JSON object per line, which import reads')
        .choices(exportFormats)
        .default('csv'),
    )
    .action(async ({ format, ...parameters }: ExportOptions) => {
      const filter = parseLeadFilter(parameters, 'with');
      await withAdminContext((context) => writeToStdout(exportStream(readAllLeads(context, filter), format)));
    });
  program
    .command('backup <file>')
    .description('write all leads of the database, but none of a spool, to a file, which import reads')
    .option('--metrics <file>', 'also write its time for Prometheus, as a file for the textfile collector')
    .action(async (file: string, { metrics }: { readonly metrics?: string }) => {
      const begun = Math.floor(Date.now() / 1_000);
      await withAdminContext((context) =>
        writeToFile(file, exportStream(readAllLeads(context, parseLeadFilter({}, 'with')), 'jsonl')),
      );
      print(`All leads of the database are in ${file}.`);
      // Readable by everyone, because the collector is another user.
      if (metrics) await writeToFile(metrics, Readable.from([`leads_backup_time_seconds ${begun}\n`]), 0o644);
    });
  program
    .command('import <file>')
    .description(
      'import the leads of a backup, or of "export --format jsonl", that are not there yet; "-" reads stdin',
    )
    .action(async (file: string) => {
      await withAdminContext(
        async (context, { WEBHOOKS }) => {
          await using lines = await openLines(file, context.dataDirectory);
          const webhooks = WEBHOOKS.map(({ name }) => name);
          const { total, imported, erased, planned } = await importLeads(context, lines, webhooks);
          const there = total - imported - erased;
          print(`${counted(imported, 'lead')} imported, ${there} were there.`);
          if (erased > 0) print(`${counted(erased, 'lead')} left out, because the person was erased later.`);
          if (planned > 0) {
            const names = webhooks.length > 0 ? `webhooks: ${webhooks.join(', ')}` : 'WEBHOOKS is not set';
            print(`${counted(planned, 'delivery', 'deliveries')} planned (${names}).`);
          }
        },
        { mayCreate: true },
      );
    });
  program
    .command('erase <email>')
    .description('delete all leads of an address, with their deliveries; "-" reads the address from stdin')
    .option('--yes', 'confirm: this cannot be undone')
    .action(async (argument: string, { yes }: { readonly yes?: boolean }) => {
      // Stdin, so that the address appears in no shell history and no process list.
      const email = argument === '-' ? await text(process.stdin) : argument;
      if (!yes) throw invalidRequest('Nothing was erased. This cannot be undone: add --yes to do it.');
      const erased = await withAdminContext((context) => eraseLeadsOf(context, email));
      print(`${counted(erased, 'lead')} erased.`);
    });
  program
    .command('retention')
    .description('delete leads older than RETENTION_DAYS now, as the service does every hour')
    .option('--yes', 'confirm: the clock and the setting are right, and this cannot be undone')
    .action(async ({ yes }: { readonly yes?: boolean }) => {
      if (!yes) throw invalidRequest('Nothing was deleted. This cannot be undone: add --yes to do it.');
      const deleted = await withAdminContext((context, { RETENTION_DAYS }) => {
        if (RETENTION_DAYS === undefined)
          throw invalidRequest(
            'Nothing was deleted. Set RETENTION_DAYS as for the service, whose default is 730.',
          );
        return applyRetention(context, RETENTION_DAYS, { isConfirmed: true });
      });
      print(`${counted(deleted, 'lead')} deleted.`);
    });
}

function addTokenCommand(program: Command): void {
  program
    .command('token <name>')
    .description('create a token for the inbox or the page reports; it is shown once and not stored')
    .addOption(
      new Option('--scope <scopes...>', 'permissions of the token').choices(adminScopes).default(['read']),
    )
    .option(...jsonOption)
    .action((name: string, { scope, json }: JsonOption & { readonly scope: readonly AdminScope[] }) => {
      if (!tokenName.test(name)) {
        throw invalidRequest(
          'A name consists of 1 to 32 lower-case letters, digits and hyphens, and does not begin with a hyphen.',
        );
      }
      const token = createToken();
      const setting = tokenSetting({ name, scopes: [...new Set(scope)], hash: hashToken(token) });
      if (json) return printJson({ name, token, setting });
      print(`Token for ${name}:   ${token}`);
      print(`Add to ADMIN_TOKENS:   ${setting}`);
      print('Entries are separated by commas. Remove an entry and restart the service to revoke the token.');
    });
}
