import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createCsvStream, csvRecord } from './lead-csv.ts';
import type { LeadView } from './lead-view.ts';

/** `csv`: for spreadsheets. `jsonl`: one JSON object per line, for programs. */
export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportContentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

/** Formats leads as a stream of bytes, with back-pressure. */
export function exportStream(leads: AsyncIterable<LeadView>, format: ExportFormat): Readable {
  if (format === 'jsonl') return Readable.from(lines(leads), { objectMode: false });
  const csv = createCsvStream();
  pipeline(records(leads), csv).catch((error: Error) => csv.destroy(error));
  return csv;
}

/** Writes leads to a stream and leaves it open. */
export async function writeExport(
  leads: AsyncIterable<LeadView>,
  format: ExportFormat,
  target: Writable,
): Promise<void> {
  await pipeline(exportStream(leads, format), target, { end: false });
}

async function* lines(leads: AsyncIterable<LeadView>): AsyncGenerator<string> {
  for await (const lead of leads) yield `${JSON.stringify(lead)}\n`;
}

async function* records(leads: AsyncIterable<LeadView>): AsyncGenerator<(string | number)[]> {
  for await (const lead of leads) yield csvRecord(lead);
}
