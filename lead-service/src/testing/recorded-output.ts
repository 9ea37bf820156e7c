import { appendFileSync } from 'node:fs';
import { testLogFile } from './config.ts';

/** Keeps what a service has logged, for the look for personal data at the end of the whole suite. */
export function recordOutput(output: string): void {
  if (testLogFile !== undefined && output !== '') appendFileSync(testLogFile, `${output.trimEnd()}\n`);
}
