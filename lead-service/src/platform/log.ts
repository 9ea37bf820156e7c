import { pino, type Logger } from 'pino';
import { currentRequest } from './operations/current-request.ts';

/** Facts of an event. Never anything that a person typed, and no address of a person's machine. */
export type LogDetails = Readonly<Record<string, string | number | boolean | undefined>>;

/** Where the service says what it does. */
export interface Log {
  info(event: string, details?: LogDetails): void;
  warn(event: string, details?: LogDetails): void;
  error(event: string, details?: LogDetails): void;
}

/** `json`: one object a line on stdout (pino), for machines. `text`: sentences on stdout and stderr, for people. */
export const logFormats = ['json', 'text'] as const;
export type LogFormat = (typeof logFormats)[number];

/** From the least to the most important. */
export const logLevels = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Log of this process. What is less important than the level is left out. */
export function createProcessLog(format: LogFormat, level: LogLevel = 'info'): Log {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', outliveReader);
  return format === 'json' ? jsonLog(level) : textLog(level);
}

function jsonLog(level: LogLevel): Log {
  // Written at once: nothing is lost at the end.
  const logger: Logger = pino(
    {
      level,
      base: { service: 'lead-service' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin() {
        const request = currentRequest();
        return request === undefined ? {} : { request: request.id };
      },
    },
    process.stdout,
  );
  return {
    info: (event, details) => logger.info(details ?? {}, event),
    warn: (event, details) => logger.warn(details ?? {}, event),
    error: (event, details) => logger.error(details ?? {}, event),
  };
}

function textLog(level: LogLevel): Log {
  const say = (event: string, details?: LogDetails) => void process.stdout.write(sentence(event, details));
  const nothing = () => undefined;
  return {
    info: level === 'info' ? say : nothing,
    warn: level === 'error' ? nothing : say,
    error: (event, details) => void process.stderr.write(sentence(event, details)),
  };
}

/** One line: what happened, and the facts in brackets. */
export function sentence(event: string, details: LogDetails = {}): string {
  const facts = Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`);
  return `lead-service: ${event}${facts.length > 0 ? ` (${facts.join(' ')})` : ''}\n`;
}

/** Name, code and stack of an error and of its causes. Messages are left out: they may quote personal data. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const code = 'code' in error ? ` ${String(error.code)}` : '';
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at .*:\d+:\d+\)?$/.test(line));
  const cause = error.cause === undefined ? '' : `\n  caused by ${describeError(error.cause)}`;
  return [`${error.name}${code}`, ...frames].join('\n') + cause;
}

/** Whoever reads the log may be gone first. Requests in flight must still be finished. */
function outliveReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
