import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { leadAttribution } from '@countersign/contracts/lead-submission';
import { stringify } from 'csv-stringify';
import { describeParts } from '../database/describe-attribution.ts';
import { leadSchema, type LeadView } from '../database/tables.ts';

/** `csv`: for spreadsheets. `jsonl`: one JSON object per line, for programs. */
export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** In characters. */
const chunkSize = 64 * 1024;

/** Every field once, in this order at first. */
const columns = new Set([
  'id',
  'receivedAt',
  'type',
  'name',
  'email',
  'company',
  'message',
  'page',
  'referrer',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'consentText',
  'consentedAt',
  ...Object.keys(leadSchema.omit({ attribution: true }).shape),
  ...Object.keys(leadAttribution.shape),
]);

/** CSV follows RFC 4180, without formulas (no CSV injection). A byte order mark lets Excel detect UTF-8. */
export function exportStream(leads: AsyncIterable<LeadView>, format: ExportFormat): Readable {
  if (format === 'jsonl') return Readable.from(lines(leads), { objectMode: false });
  const csv = stringify({
    bom: true,
    header: true,
    columns: [...columns],
    quoted: true,
    record_delimiter: 'windows',
    cast: { string: withoutFormulas },
  });
  pipeline(records(leads), csv).catch((error: Error) => csv.destroy(error));
  return csv;
}

/** Many lines at a time, because each chunk is a write to the disk. */
async function* lines(leads: AsyncIterable<LeadView>): AsyncGenerator<string> {
  let chunk = '';
  for await (const lead of leads) {
    chunk += `${JSON.stringify(lead)}\n`;
    if (chunk.length < chunkSize) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

async function* records(leads: AsyncIterable<LeadView>): AsyncGenerator<object> {
  for await (const { attribution, ...lead } of leads) {
    yield {
      ...attribution,
      ...lead,
      spamReasons: lead.spamReasons.join('; '),
      parts: describeParts(attribution),
    };
  }
}

/** Start of a cell, the characters that a spreadsheet skips before a formula, and the character of a formula. */
const cellStart = /((?:^|[;\t\r\n])[\s;"\p{Cc}\p{Cf}]*)([=+\-@\uff1d\uff0b\uff0d\uff20]?)/gu;

/**
 * Escapes formulas with an apostrophe: `=`, `+`, `-`, `@`, also full-width, after any blanks and quotes. Also escapes
 * after semicolons and tabs, because in many locales these separate cells. Some spreadsheets also skip a leading tab.
 */
function withoutFormulas(text: string): string {
  // Each match consumes all following blanks, so the replacement runs in linear time.
  const safe = text.replaceAll(cellStart, (_match, before: string, formula: string) =>
    formula === '' ? before : `${before}'${formula}`,
  );
  return /^[\t\r]/.test(safe) ? `'${safe}` : safe;
}
