import { appendFileSync } from 'node:fs';
import { formatLine, type LogDetails } from '../platform/log.ts';
import { testLogFile } from './config.ts';
import { until } from './until.ts';

/** A log in memory, in the text format. */
export function createMemoryLog() {
  const lines: string[] = [];
  function write(event: string, details?: LogDetails): void {
    const line = formatLine(event, details).trimEnd();
    lines.push(line);
    recordOutput(line);
  }
  return {
    lines,
    /** The first line that contains the text, once it is there. */
    async line(text: string) {
      const found = () => lines.find((line) => line.includes(text)) ?? '';
      await until(
        () => lines,
        () => found() !== '',
      );
      return found();
    },
    info: write,
    warn: write,
    error: write,
  };
}

/** Records the log of a service, for the search for personal data at the end of the suite. */
export function recordOutput(output: string): void {
  if (testLogFile !== undefined && output !== '') appendFileSync(testLogFile, `${output.trimEnd()}\n`);
}
