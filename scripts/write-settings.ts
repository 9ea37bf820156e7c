/**
 * `npm run settings` writes the list of settings into documents, each from the schema that a module exports as `settings`:
 * `node scripts/write-settings.ts (<module> <document>) …`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readArguments } from '@countersign/contracts/arguments';
import { withSettings } from '@countersign/contracts/settings';
import type { ZodObject } from 'zod';

const { positionals: paths } = readArguments('npm run settings', [2, Infinity]);
for (let index = 0; index < paths.length; index += 2) {
  const [module = '', document = ''] = paths.slice(index);
  const { settings } = (await import(resolve(module))) as { readonly settings: ZodObject };
  writeFileSync(document, withSettings(readFileSync(document, 'utf8'), settings));
}
