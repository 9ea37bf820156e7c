import { appendFileSync } from 'node:fs';
import { testLogFile } from './config.ts';

/** Records the log of a service, for the search for personal data at the end of the suite. */
export function recordOutput(output: string): void {
  if (testLogFile !== undefined && output !== '') appendFileSync(testLogFile, `${output.trimEnd()}\n`);
}
