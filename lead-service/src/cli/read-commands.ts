import type { Command } from 'commander';
import { parseLeadFilter } from '../lead-admin/lead-filter.ts';
import { readStats, type Count, type LeadStats } from '../lead-admin/lead-stats.ts';
import { listLeads, type LeadPage } from '../lead-admin/list-leads.ts';
import { readLead } from '../lead-admin/read-lead.ts';
import {
  addFilterOptions,
  jsonOption,
  type FilterDefaults,
  type FilterOptions,
  type JsonOption,
} from './filter-options.ts';
import { withAdminContext } from './open-admin-context.ts';
import { printStatus, print, printJson, printTable } from './output.ts';
import { describeLead, printLeads } from './show-leads.ts';

interface PageOptions extends FilterOptions {
  readonly limit: string;
  readonly after?: string;
}

export function addReadCommands(program: Command): void {
  addPageOptions(program.command('list').description('list the newest leads'), {
    quarantine: 'without',
  }).action(async (options: PageOptions) => printPage(await page(options), options));
  addPageOptions(
    program.command('search <text>').description('search leads by name, e-mail, company, message or id'),
    { quarantine: 'with' },
  ).action(async (text: string, options: PageOptions) => printPage(await page(options, text), options));
  program
    .command('show <id>')
    .description('show one lead: text, origin, deliveries, history')
    .option(...jsonOption)
    .action(async (id: string, { json }: JsonOption) => {
      const file = await withAdminContext((context) => readLead(context, id));
      if (json) printJson(file);
      else print(describeLead(file));
    });
  program
    .command('stats')
    .description('show counts, and the state of the deliveries')
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      const stats = await withAdminContext((context) => readStats(context));
      if (json) printJson(stats);
      else printStats(stats);
    });
}

function addPageOptions(command: Command, defaults: FilterDefaults): Command {
  return addFilterOptions(command, defaults)
    .option('--limit <number>', 'maximum number of rows', '50')
    .option('--after <id>', 'continue after this lead')
    .option(...jsonOption);
}

function page(options: PageOptions, text?: string): Promise<LeadPage> {
  const filter = parseLeadFilter(options);
  return withAdminContext((context) =>
    listLeads(context, { filter, text, limit: Number(options.limit), after: options.after }),
  );
}

function printPage({ leads, next }: LeadPage, { json }: JsonOption): void {
  if (json) return printJson({ leads, next });
  if (leads.length === 0) return printStatus('No leads match.');
  printLeads(leads);
  if (next !== null) printStatus(`There are more. Continue with --after ${next}`);
}

function printStats(stats: LeadStats): void {
  printCounts('Type', stats.byType);
  printCounts('Status', stats.byStatus);
  printCounts('Day', stats.byDay);
  printCounts('Deliveries', stats.deliveries);
  print(
    `In quarantine: ${stats.quarantined}. Erased: ${stats.erased}. In the spool of this machine: ${stats.spooled}.`,
  );
  print(`Oldest pending delivery: ${stats.oldestUndelivered ?? 'none'}.`);
}

function printCounts(title: string, counts: readonly Count[]): void {
  if (counts.length > 0)
    printTable(
      [title, 'Count'],
      counts.map(({ name, count }) => [name, count]),
    );
}
