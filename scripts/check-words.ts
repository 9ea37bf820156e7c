/** Fails if a file of the repository has a word that docs/glossary.md replaces by another one. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '@countersign/contracts/arguments';

readArguments('node scripts/check-words.ts');
const root = join(import.meta.dirname, '..');

/** Words in names, comments, messages and docs → what to write instead. Names are read word by word: `loadFailureNotice`. */
const words: readonly (readonly [RegExp, string])[] = [
  // The verb stays.
  [/\b(?:an?|the|no|this|each|new|visible|failure) notices?\b|\bnotices\b|\w notice\(|[a-z] Notices?\b/, 'toast'],
  [/\bnotifications?\b/i, 'toast, or the name of what is sent'],
  [/\bvariants\b|\b(?:an?|the|each|which|this|other|both) variants?\b|[a-z] Variants?\b/i, 'group'],
  [/\b(?:somebody|nobody|whoever|anew|half-dead)\b|\b(?:in vain|is thanked)\b/i, 'who or what it is'],
  [/\b(?:what is so|as far as|until it is said|otherwise than|to be had|becomes of)\b/i, 'the subject'],
  [/\b(?:service|server|store|check|command|database)s? rejects?\b/i, 'refuses'],
];

const exempt = [':!LICENSE', ':!package-lock.json', ':!scripts/check-words.ts', ':!mf-content/src', ':!bench', ':!docs/glossary.md'];
const files = execFileSync('git', ['ls-files', '-z', '*.ts', '*.tsx', '*.css', '*.md', '*.yaml', '*.yml', '*.json', ...exempt], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
for (const file of files) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    // Stored names are exempt: a word alone in quotation marks or backticks, and one before "=".
    const text = line.replaceAll(/(['"`])[\w@./?=-]+\1|\w+=/g, '').replaceAll(/([a-z])([A-Z])/g, '$1 $2');
    for (const [word, instead] of words) {
      const found = word.exec(text);
      if (!found) continue;
      console.error(`${file}:${index + 1} has "${found[0]}". Write ${instead}.`);
      process.exitCode = 1;
    }
  }
}
