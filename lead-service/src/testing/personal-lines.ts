import { existsSync, readFileSync } from 'node:fs';

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
