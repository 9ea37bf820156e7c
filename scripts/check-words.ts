/** Fails if a file has a word in place of which this project uses another one. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '@countersign/contracts/arguments';

readArguments('node scripts/check-words.ts');
const root = join(import.meta.dirname, '..');

/** Words in names, comments, messages and docs → what to write instead. Names are read word by word: `loadFailureNotice`. */
const words: readonly (readonly [RegExp, string])[] = [
  // Not the verb.
  [/\b(?:an?|the|no|this|each|new|visible|failure) notices?\b|\bnotices\b|\w+ Notices?\b/, 'toast'],
  [/\b[Vv]ariants\b|\b(?:an?|the|each|which|this|other|both) variant\b|\w+ Variant\b/, 'group'],
  // Not a data block, a block of code or a containing block, and not the verb.
  [
    /\b(?:each|all|live|removes?|outlines?|[Rr]ead|[Rr]un|[Oo]f) [Bb]locks\b|\beach block\b|\bblocks? of (?:the|a) page\b/,
    'slot',
  ],
  [/\b(?:somebody|nobody|whoever|half-dead)\b/i, 'who or what it is, such as the client'],
  // Phrases of which a reader cannot tell the subject.
  [/\b(?:what is so|as far as|until it is said|otherwise than|to be had|becomes of)\b/i, 'the subject'],
  [/\b(?:anew|in vain|is thanked)\b/i, 'it in plain words'],
  [/\bfind Damages\b|\b(?:all|const|each|no|of|the) damages\b/, 'damage'],
  [/\b(?:service|server|store|check|command|database)s? rejects?\b/i, 'refuses'],
];

/** The texts of the page and of licences, what others generate, and the benchmark, whose variants are ways to build the page. */
const exempt = ['LICENSE', 'bench', 'docs/page-speed.md', 'mf-content/src', 'package-lock.json'];
/** They name the words. */
const lists = ['docs/glossary.md', 'scripts/check-words.ts'];

const excluded = [...exempt, ...lists].map((path) => `:!${path}`);
const listed = execFileSync('git', ['grep', '-zIl', '', '--', ...excluded], { cwd: root, encoding: 'utf8' });
for (const file of listed.split('\0').filter(Boolean)) {
  for (const [index, line] of readFileSync(join(root, file), 'utf8').split('\n').entries()) {
    // Stored names are exempt: those alone in quotation marks or backticks, and those before "=". So are paths.
    const text = line
      .replaceAll(/(['"`])[\w@.:/?=-]+\1|\w+=|[\w{},-]+\//g, '')
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2');
    for (const [word, instead] of words) {
      const found = word.exec(text);
      if (!found) continue;
      console.error(`${file}:${index + 1} has "${found[0]}". Write ${instead}.`);
      process.exitCode = 1;
    }
  }
}
