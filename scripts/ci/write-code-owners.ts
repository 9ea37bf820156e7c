/** Writes CODEOWNERS: `npm run code-owners`. With `--check` it only compares. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brand } from '@countersign/contracts/brand';
import { codeOwners } from './code-owners.ts';

const root = join(import.meta.dirname, '..', '..');
const file = join(root, '.github', 'CODEOWNERS');
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const text = codeOwners(
  readFileSync(join(root, 'release', 'owners.json'), 'utf8'),
  folders,
  brand.toLowerCase(),
);
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  console.error('.github/CODEOWNERS differs from release/owners.json. Run "npm run code-owners".');
  process.exitCode = 1;
}
