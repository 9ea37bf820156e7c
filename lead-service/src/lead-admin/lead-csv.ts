import { stringify, type Stringifier } from 'csv-stringify';
import type { LeadView } from './lead-view.ts';

/** Titles of the columns in their order, and what stands in them. */
const columns = {
  id: (lead) => lead.id,
  receivedAt: (lead) => lead.receivedAt,
  type: (lead) => lead.type,
  status: (lead) => lead.status,
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
} satisfies Record<string, (lead: LeadView) => string | number | null | undefined>;

/** Turns leads into CSV (RFC 4180) that no spreadsheet takes for formulas. A byte order mark tells Excel of UTF-8. */
export function createCsvStream(): Stringifier {
  return stringify({
    bom: true,
    header: true,
    columns: Object.keys(columns),
    quoted: true,
    record_delimiter: 'windows',
  });
}

export function csvRecord(lead: LeadView): (string | number)[] {
  return Object.values(columns).map((valueOf) => {
    const value = valueOf(lead) ?? '';
    return typeof value === 'string' ? withoutFormulas(value) : value;
  });
}

/** Begins a cell, and what a spreadsheet may pass over before it looks for a formula, as far as it goes. */
const beginning = /((?:^|[;\t\r\n])[\s;"\p{Cc}\p{Cf}]*)([=+\-@\uff1d\uff0b\uff0d\uff20]?)/gu;

/**
 * Puts an apostrophe before what a spreadsheet could take for a formula: `=`, `+`, `-`, `@`, also full-width, after any
 * blanks and quotes. Not only where the text begins: a spreadsheet that expects semicolons or tabs between cells, as it
 * does in many countries, starts a cell in the middle of a text. Some also look behind a tab that the text begins with.
 */
function withoutFormulas(text: string): string {
  // Every match takes all blanks that follow, formula or not: no character is looked at twice.
  const safe = text.replaceAll(beginning, (_match, before: string, formula: string) =>
    formula === '' ? before : `${before}'${formula}`,
  );
  return /^[\t\r]/.test(safe) ? `'${safe}` : safe;
}
