import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Any e-mail address. Excludes matches after a slash, which are package paths in stack traces. */
const emailAddress = /(?<![/\w.+-])[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}/i;

/** Log lines that contain one of the texts (case-insensitive) or an e-mail address. Throws if there is no log. */
export function personalLines(logFile: string, inputs: Iterable<string>): string[] {
  if (!existsSync(logFile)) throw new Error('The tests have logged nothing, so there is nothing to search.');
  const texts = [...inputs].map((text) => text.toLowerCase());
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => emailAddress.test(line) || texts.some((text) => line.toLowerCase().includes(text)));
}

const sources = ['**/*.test.ts', '**/testing/*.ts'];
/** Matches `name: '…'`. Of a template literal, it matches the text before the first placeholder. */
const field = /\b(?:name|company|message): (?:'([^'\\\n]+)|"([^"\\\n]+)|`([^`$\\\n]+))/g;

/**
 * Names, companies and messages that the tests in a folder send, extracted from their sources. Ignores single words,
 * because a log may contain them for other reasons.
 */
export function testInputs(folder: string): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const file of globSync(sources, { cwd: folder })) {
    for (const [, ...quotes] of readFileSync(join(folder, file), 'utf8').matchAll(field)) {
      const text = quotes.find((quote) => quote !== undefined)?.trim() ?? '';
      if (text.includes(' ')) texts.add(text);
    }
  }
  return texts;
}
