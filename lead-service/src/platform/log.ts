import { type Logger, pino } from 'pino';
import { AsyncLocalStorage } from 'node:async_hooks';
import * as z from 'zod';
import { ExplainedError } from './explained-error.ts';

/** Structured details of an event. They never contain user text or IP addresses. */
export type LogDetails = Readonly<Record<string, string | number | boolean | undefined>>;

type Level = 'info' | 'warn' | 'error';

export type Log = Readonly<Record<Level, (event: string, details?: LogDetails) => void>>;

/**
 * The id of the request that the current asynchronous context handles, from its `X-Request-Id` header, or generated. All work that the
 * context starts has it in its log lines, unless it begins with `exit`, as work that several requests share.
 */
export const currentRequest = new AsyncLocalStorage<string>();

/** A log that writes each event in one way. */
export function createLog(write: (level: Level, event: string, details?: LogDetails) => void): Log {
  return {
    info: (event, details) => write('info', event, details),
    warn: (event, details) => write('warn', event, details),
    error: (event, details) => write('error', event, details),
  };
}

export const logSettings = z.object({
  LOG_FORMAT: z
    .enum(['json', 'text'], 'must be json or text.')
    .default('json')
    .describe('`json`: one object per line on stdout; `text`: readable lines'),
});

/** `json`: for machines (pino). `text`: for people, with errors on stderr. */
export function createProcessLog(format: z.output<typeof logSettings>['LOG_FORMAT']): Log {
  return format === 'json' ? jsonLog() : textLog;
}

function jsonLog(): Log {
  const logger: Logger = pino(
    {
      base: { service: 'lead-service' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin() {
        const request = currentRequest.getStore();
        return request === undefined ? {} : { request };
      },
    },
    // In batches, because a write for each lead takes longer than its validation. A process that is killed loses the last lines.
    pino.destination({ sync: false, minLength: 4_096, periodicFlush: 20 }),
  );
  return createLog((level, event, details = {}) => logger[level](details, event));
}

const textLog = createLog((level, event, details) => {
  const stream = level === 'error' ? process.stderr : process.stdout;
  stream.write(formatLine(event, details));
});

/** Formats an event as one line, with its details in brackets. */
export function formatLine(event: string, details: LogDetails = {}): string {
  const facts = Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`);
  return `lead-service: ${event}${facts.length > 0 ? ` (${facts.join(' ')})` : ''}\n`;
}

/**
 * Name, code and stack of an error and of its causes. Omits their messages, because they may quote personal data, but for an
 * {@link ExplainedError}.
 */
export function describeError(error: unknown): string {
  if (error instanceof ExplainedError) return error.message;
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const code = 'code' in error ? ` ${String(error.code)}` : '';
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at .*:\d+:\d+\)?$/.test(line));
  const cause = error.cause === undefined ? '' : `\n  caused by ${describeError(error.cause)}`;
  return [`${error.name}${code}`, ...frames].join('\n') + cause;
}

/** The message of an error that quotes no personal data, such as one of a file or a connection. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  // For a host name with several addresses, Node throws an AggregateError with a code but without a message.
  return error.message || ('code' in error ? String(error.code) : error.name);
}

/** For callers whose only error reports are exceptions. */
export const noopLog = createLog(() => undefined);
