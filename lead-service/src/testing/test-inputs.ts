import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const tests = ['**/*.test.ts', '**/testing/*.ts', 'durability/*.ts'];
/** `name: '…'`. Of a text that is put together, what stands before the first part that is not fixed. */
const field = /\b(?:name|company|message): (?:'([^'\\\n]+)|"([^"\\\n]+)|`([^`$\\\n]+))/g;

/**
 * Names, companies and messages that the tests in a folder type, taken from their sources. A single word is none of them:
 * it may stand in a log for another reason.
 */
export function typedTexts(folder: string): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const file of globSync(tests, { cwd: folder })) {
    for (const [, ...quotes] of readFileSync(join(folder, file), 'utf8').matchAll(field)) {
      const text = quotes.find((quote) => quote !== undefined)?.trim() ?? '';
      if (text.includes(' ')) texts.add(text);
    }
  }
  return texts;
}
