import { existsSync, readFileSync } from 'node:fs';

/** Any e-mail address, whoever's. What begins with a slash is a package in a stack. */
const emailAddress = /(?<![/\w.+-])[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}/i;

/** Lines of a log that hold one of the texts, however capitalised, or an e-mail address. Throws when nothing was logged. */
export function personalLines(logFile: string, typed: Iterable<string>): string[] {
  if (!existsSync(logFile))
    throw new Error('The tests have logged nothing: there is nothing to look through.');
  const texts = [...typed].map((text) => text.toLowerCase());
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => emailAddress.test(line) || texts.some((text) => line.toLowerCase().includes(text)));
}
