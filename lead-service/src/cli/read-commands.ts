import type { Command } from 'commander';
import { parseLeadFilter } from '../sales/lead-filter.ts';
import { readStats } from '../sales/lead-stats.ts';
import { listLeads, type LeadPage } from '../sales/list-leads.ts';
import { readLead } from '../sales/read-lead.ts';
import { addFilterOptions, jsonOption, type FilterOptions, type JsonOption } from './filter-options.ts';
import { withDesk } from './open-desk.ts';
import { note, say, sayJson } from './output.ts';
import { describeLead, sayLeads } from './show-leads.ts';
import { sayStats } from './show-stats.ts';

interface PageOptions extends FilterOptions {
  readonly limit: string;
  readonly after?: string;
}

/** `list`, `search`, `show`, `stats`. */
export function addReadCommands(program: Command): void {
  addPageOptions(program.command('list').description('the newest leads'), 'without').action(
    async (options: PageOptions) => sayPage(await page(options), options),
  );
  addPageOptions(
    program
      .command('search <text>')
      .description('leads with a text in name, e-mail, company or message, or with an id'),
    'with',
  ).action(async (text: string, options: PageOptions) => sayPage(await page(options, text), options));
  program
    .command('show <id>')
    .description('everything about one lead: text, origin, deliveries, history')
    .option(...jsonOption)
    .action(async (id: string, { json }: JsonOption) => {
      const file = await withDesk((desk) => readLead(desk, id));
      if (json) sayJson(file);
      else say(describeLead(file));
    });
  program
    .command('stats')
    .description('how many leads there are, and whether they are handed on')
    .option(...jsonOption)
    .action(async ({ json }: JsonOption) => {
      const stats = await withDesk((desk) => readStats(desk));
      if (json) sayJson(stats);
      else sayStats(stats);
    });
}

function addPageOptions(command: Command, quarantine: string): Command {
  return addFilterOptions(command, quarantine)
    .option('--limit <number>', 'at most so many', '50')
    .option('--after <id>', 'go on after this lead')
    .option(...jsonOption);
}

function page(options: PageOptions, text?: string): Promise<LeadPage> {
  const filter = parseLeadFilter(options);
  return withDesk((desk) =>
    listLeads(desk, { filter, text, limit: Number(options.limit), after: options.after }),
  );
}

function sayPage({ leads, next }: LeadPage, { json }: JsonOption): void {
  if (json) return sayJson({ leads, next: next ?? null });
  if (leads.length === 0) return note('No leads match.');
  sayLeads(leads);
  if (next !== undefined) note(`There are more. Go on with --after ${next}`);
}
