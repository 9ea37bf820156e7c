import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describeParts } from '../lead/describe-attribution.ts';
import type { LeadView } from './lead-view.ts';
import { stringify, type Stringifier } from 'csv-stringify';

/** `csv`: for spreadsheets. `jsonl`: one JSON object per line, for programs. */
export const exportFormats = ['csv', 'jsonl'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const exportContentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/x-ndjson; charset=utf-8',
};

export function exportStream(leads: AsyncIterable<LeadView>, format: ExportFormat): Readable {
  if (format === 'jsonl') return Readable.from(lines(leads), { objectMode: false });
  const csv = createCsvStream();
  pipeline(records(leads), csv).catch((error: Error) => csv.destroy(error));
  return csv;
}

async function* lines(leads: AsyncIterable<LeadView>): AsyncGenerator<string> {
  for await (const lead of leads) yield `${JSON.stringify(lead)}\n`;
}

async function* records(leads: AsyncIterable<LeadView>): AsyncGenerator<(string | number)[]> {
  for await (const lead of leads) yield csvRecord(lead);
}

/** Column titles in order, with their values. */
const columns = {
  id: (lead) => lead.id,
  receivedAt: (lead) => lead.receivedAt,
  type: (lead) => lead.type,
  name: (lead) => lead.name,
  email: (lead) => lead.email,
  company: (lead) => lead.company,
  message: (lead) => lead.message,
  page: (lead) => lead.attribution.page,
  referrer: (lead) => lead.attribution.referrer,
  utmSource: (lead) => lead.attribution.utmSource,
  utmMedium: (lead) => lead.attribution.utmMedium,
  utmCampaign: (lead) => lead.attribution.utmCampaign,
  utmTerm: (lead) => lead.attribution.utmTerm,
  utmContent: (lead) => lead.attribution.utmContent,
  consentText: (lead) => lead.attribution.consentText,
  consentedAt: (lead) => lead.attribution.consentedAt,
  releaseId: (lead) => lead.releaseId,
  spamScore: (lead) => lead.spamScore,
  spamReasons: (lead) => lead.spamReasons.join('; '),
  quarantinedAt: (lead) => lead.quarantinedAt,
  landingPage: (lead) => lead.attribution.landingPage,
  landingReferrer: (lead) => lead.attribution.landingReferrer,
  parts: (lead) => describeParts(lead.attribution),
  gclid: (lead) => lead.attribution.gclid,
  gbraid: (lead) => lead.attribution.gbraid,
  wbraid: (lead) => lead.attribution.wbraid,
  fbclid: (lead) => lead.attribution.fbclid,
  msclkid: (lead) => lead.attribution.msclkid,
  li_fat_id: (lead) => lead.attribution.li_fat_id,
} satisfies Record<string, (lead: LeadView) => string | number | null | undefined>;

/** Converts leads to CSV (RFC 4180) without formulas (no CSV injection). A byte order mark lets Excel detect UTF-8. */
function createCsvStream(): Stringifier {
  return stringify({
    bom: true,
    header: true,
    columns: Object.keys(columns),
    quoted: true,
    record_delimiter: 'windows',
  });
}

function csvRecord(lead: LeadView): (string | number)[] {
  return Object.values(columns).map((valueOf) => {
    const value = valueOf(lead) ?? '';
    return typeof value === 'string' ? withoutFormulas(value) : value;
  });
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
