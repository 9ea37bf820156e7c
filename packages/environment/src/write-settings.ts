/**
 * Writes the tables of settings into documents, each from the variables that a module exports as `settings`.
 *
 *     node packages/environment/src/write-settings.ts (<module> <document>) …
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { withSettings, type SettingsSections } from './settings-tables.ts';

const paths = process.argv.slice(2);
for (let index = 0; index < paths.length; index += 2) {
  const [module = '', document = ''] = paths.slice(index);
  const { settings } = (await import(resolve(module))) as { readonly settings: SettingsSections };
  writeFileSync(document, withSettings(readFileSync(document, 'utf8'), settings));
}
