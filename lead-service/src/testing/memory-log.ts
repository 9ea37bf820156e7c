import { sentence, type Log, type LogDetails } from '../log.ts';
import { recordOutput } from './recorded-output.ts';

/** A log that a test can read. */
export interface MemoryLog extends Log {
  /** Every line so far, as the text format writes it. */
  readonly lines: readonly string[];
}

export function createMemoryLog(): MemoryLog {
  const lines: string[] = [];
  function write(event: string, details?: LogDetails): void {
    const line = sentence(event, details).trimEnd();
    lines.push(line);
    recordOutput(line);
  }
  return { lines, info: write, warn: write, error: write };
}
