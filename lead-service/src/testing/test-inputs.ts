import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const tests = ['**/*.test.ts', '**/testing/*.ts', 'durability/*.ts'];
/** Matches `name: '…'`. Of a template literal, it matches the text before the first placeholder. */
const field = /\b(?:name|company|message): (?:'([^'\\\n]+)|"([^"\\\n]+)|`([^`$\\\n]+))/g;

/**
 * Names, companies and messages that the tests in a folder send, extracted from their sources. Ignores single words,
 * because a log may contain them for other reasons.
 */
export function testInputs(folder: string): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const file of globSync(tests, { cwd: folder })) {
    for (const [, ...quotes] of readFileSync(join(folder, file), 'utf8').matchAll(field)) {
      const text = quotes.find((quote) => quote !== undefined)?.trim() ?? '';
      if (text.includes(' ')) texts.add(text);
    }
  }
  return texts;
}
