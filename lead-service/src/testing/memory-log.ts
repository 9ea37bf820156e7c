import { formatLine, type Log, type LogDetails } from '../platform/log.ts';
import { recordOutput } from './recorded-output.ts';

/** A log in memory. */
export interface MemoryLog extends Log {
  /** All lines so far, in the text format. */
  readonly lines: readonly string[];
}

export function createMemoryLog(): MemoryLog {
  const lines: string[] = [];
  function write(event: string, details?: LogDetails): void {
    const line = formatLine(event, details).trimEnd();
    lines.push(line);
    recordOutput(line);
  }
  return { lines, info: write, warn: write, error: write };
}
