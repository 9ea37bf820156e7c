import { appendFileSync } from 'node:fs';
import { createLog, formatLine } from '../platform/log.ts';
import { testLogFile } from './config.ts';
import { until } from './until.ts';

/** A log in memory, in the text format. */
export function createMemoryLog() {
  const lines: string[] = [];
  const log = createLog((_level, event, details) => {
    const line = formatLine(event, details).trimEnd();
    lines.push(line);
    recordOutput(line);
  });
  return {
    ...log,
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
  };
}

/** Records the log of a service, for the search for personal data at the end of the suite. */
export function recordOutput(output: string): void {
  if (testLogFile !== undefined && output !== '') appendFileSync(testLogFile, `${output.trimEnd()}\n`);
}
