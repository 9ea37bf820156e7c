import { Option, type Command } from 'commander';
import { exportFormats, writeExport, type ExportFormat } from '../lead-admin/export-formats.ts';
import { exportLeads } from '../lead-admin/export-leads.ts';
import { exportPerson } from '../lead-admin/export-person.ts';
import { parseLeadFilter } from '../lead-admin/lead-filter.ts';
import { readEmail } from './email-argument.ts';
import { addFilterOptions, type FilterOptions } from './filter-options.ts';
import { withAdminContext } from './open-admin-context.ts';
import { openOutput } from './output-file.ts';
import { counted, printStatus, printableJson } from './output.ts';

/** Milliseconds between two lines of progress. */
const progressInterval = 1_000;

interface ExportOptions extends FilterOptions {
  readonly format: ExportFormat;
  readonly output?: string;
  readonly email?: string;
}

export function addExportCommand(program: Command): void {
  addFilterOptions(
    program.command('export').description('export leads for spreadsheets or programs, the oldest first'),
    { quarantine: 'without' },
  )
    .addOption(
      new Option('--format <format>', 'CSV for spreadsheets, or one JSON object per line')
        .choices(exportFormats)
        .default('csv'),
    )
    .option('--output <file>', 'write to a file that only this user can read, instead of stdout')
    .option(
      '--email <address>',
      'all data of one person, as JSON, whatever the filter; "-" reads the address from stdin',
    )
    .action(async (options: ExportOptions) => {
      if (options.email === undefined) await exportMatching(options);
      else await exportOne(options.email, options.output);
    });
}

async function exportMatching({ format, output, ...parameters }: ExportOptions): Promise<void> {
  const filter = parseLeadFilter(parameters);
  await withAdminContext(async (context) => {
    // The audit log names the format.
    const { count, leads } = await exportLeads(context, filter, format);
    const file = await openOutput(output);
    await file.fill((stream) => writeExport(progressOf(leads, count), format, stream));
    printStatus(`${counted(count, 'lead')} exported${output === undefined ? '' : ` to ${output}`}.`);
  });
}

async function exportOne(email: string, output: string | undefined): Promise<void> {
  const address = await readEmail(email);
  const person = await withAdminContext((context) => exportPerson(context, address));
  const file = await openOutput(output);
  await file.fill(async (stream) => void stream.write(`${printableJson(person)}\n`));
  printStatus(`${counted(person.leads.length + person.spooled.length, 'lead')} held of this person.`);
}

/** Passes items through, and prints the progress to stderr every second. */
async function* progressOf<Item>(items: AsyncIterable<Item>, total: number): AsyncGenerator<Item> {
  let done = 0;
  let last = performance.now();
  for await (const item of items) {
    yield item;
    done += 1;
    if (performance.now() - last < progressInterval) continue;
    last = performance.now();
    printStatus(`${done} of ${total} …`);
  }
}
