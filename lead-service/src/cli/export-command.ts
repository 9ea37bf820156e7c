import { Option, type Command } from 'commander';
import { exportPerson } from '../privacy/export-person.ts';
import { exportLeads } from '../sales/export-leads.ts';
import { exportFormats, writeExport, type ExportFormat } from '../sales/export-formats.ts';
import { parseLeadFilter } from '../sales/lead-filter.ts';
import { readEmail } from './email-argument.ts';
import { addFilterOptions, type FilterOptions } from './filter-options.ts';
import { withDesk } from './open-desk.ts';
import { counted, note } from './output.ts';
import { printableJson } from './printable.ts';
import { openOutput } from './output-file.ts';
import { progressOf } from './progress.ts';

interface ExportOptions extends FilterOptions {
  readonly format: ExportFormat;
  readonly output?: string;
  readonly email?: string;
}

/** `export`. */
export function addExportCommand(program: Command): void {
  addFilterOptions(
    program.command('export').description('leads as a file for spreadsheets or machines, the oldest first'),
    'without',
  )
    .addOption(
      new Option('--format <format>', 'CSV for spreadsheets, or one JSON object a line')
        .choices(exportFormats)
        .default('csv'),
    )
    .option('--output <file>', 'write there, readable for this user alone, and not to stdout')
    .option('--email <address>', 'everything held of one person, as JSON; "-" reads the address from stdin')
    .action(async (options: ExportOptions) => {
      if (options.email === undefined) await exportMatching(options);
      else await exportOne(options.email, options.output);
    });
}

async function exportMatching({ format, output, ...words }: ExportOptions): Promise<void> {
  const filter = parseLeadFilter(words);
  await withDesk(async (desk) => {
    const { count, leads } = await exportLeads(desk, filter, format);
    const file = await openOutput(output);
    await file.fill((stream) => writeExport(progressOf(leads, count), format, stream));
    note(`${counted(count, 'lead')} exported${output === undefined ? '' : ` to ${output}`}.`);
  });
}

async function exportOne(email: string, output: string | undefined): Promise<void> {
  const address = await readEmail(email);
  const person = await withDesk((desk) => exportPerson(desk, address));
  const file = await openOutput(output);
  await file.fill(async (stream) => void stream.write(`${printableJson(person)}\n`));
  note(`${counted(person.leads.length + person.spooled.length, 'lead')} held of this person.`);
}
