import type { LeadRow } from './tables.ts';

/** Text in the spelling in which it is searched, because databases fold the case of ASCII letters at most. */
export function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** The user text of a lead to search in, without the address. */
export function searchTextOf({ name, company, message }: LeadRow): string {
  return foldText([name, company ?? '', message].join('\n'));
}
