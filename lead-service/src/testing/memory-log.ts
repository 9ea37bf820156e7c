import { sentence, type Log, type LogDetails } from '../log.ts';

/** A log that a test can read. */
export interface MemoryLog extends Log {
  /** Every line so far, as the text format writes it. */
  readonly lines: readonly string[];
}

export function createMemoryLog(): MemoryLog {
  const lines: string[] = [];
  const write = (event: string, details?: LogDetails) => void lines.push(sentence(event, details).trimEnd());
  return { lines, info: write, warn: write, error: write };
}
