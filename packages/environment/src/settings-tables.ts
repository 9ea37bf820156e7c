import type { Variables } from './variables.ts';

/** A heading and the variables below it. Without a heading, a document has one table. */
export type SettingsSections = readonly { readonly heading?: string; readonly variables: Variables }[];

const tables = /(?<=<!-- settings:[^>]*-->\n\n).*?(?=\n\n<!-- end of settings -->)/s;

/** A document whose tables of settings, between two comments, say what the variables say. */
export function withSettings(document: string, sections: SettingsSections): string {
  if (!tables.test(document))
    throw new Error('The document has no place for settings. Mark it with comments.');
  const written = sections.map(({ heading, variables }) =>
    [...(heading === undefined ? [] : [`## ${heading}`, '']), settingsTable(variables)].join('\n'),
  );
  return document.replace(tables, () => written.join('\n\n'));
}

function settingsTable(variables: Variables): string {
  const rows = Object.entries(variables).map(([name, { meaning, initial, shown }]) => [
    `\`${name}\``,
    shown ?? shownDefault(initial),
    meaning,
  ]);
  const header = ['Variable', 'Default', 'Meaning'];
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const rule = widths.map((width) => '-'.repeat(width));
  return [header, rule, ...rows]
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n');
}

function shownDefault(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `\`${value}\`` : 'none';
}
