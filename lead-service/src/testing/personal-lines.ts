import { existsSync, readFileSync } from 'node:fs';
import { sampleLead } from './sample-lead.ts';

/** Any e-mail address, whoever's. What begins with a slash is a package in a stack. */
const emailAddress = /(?<![/\w.+-])[\w.+-]+@[\w-]+(\.[\w-]+)*\.[a-z]{2,}/i;

/** Lines of a log that hold what the tests send as visitors, or an e-mail address. Throws when nothing was logged. */
export function personalLines(logFile: string): string[] {
  if (!existsSync(logFile))
    throw new Error('The tests have logged nothing: there is nothing to look through.');
  const samples = Object.values(sampleLead);
  return readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => emailAddress.test(line) || samples.some((sample) => line.includes(sample)));
}
