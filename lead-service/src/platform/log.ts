import { type Logger, pino } from 'pino';
import { AsyncLocalStorage } from 'node:async_hooks';

/** Structured details of an event. They never contain user text or IP addresses. */
export type LogDetails = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Log {
  info(event: string, details?: LogDetails): void;
  warn(event: string, details?: LogDetails): void;
  error(event: string, details?: LogDetails): void;
}

/** `json`: one object per line on stdout (pino), for machines. `text`: lines on stdout and stderr, for people. */
export const logFormats = ['json', 'text'] as const;
type LogFormat = (typeof logFormats)[number];

export function createProcessLog(format: LogFormat): Log {
  return format === 'json' ? jsonLog() : textLog;
}

function jsonLog(): Log {
  const logger: Logger = pino(
    {
      base: { service: 'lead-service' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin() {
        const request = requestContext.getStore();
        return request === undefined ? {} : { request: request.id };
      },
    },
    { write: inBatches() },
  );
  return {
    info: (event, details) => logger.info(details ?? {}, event),
    warn: (event, details) => logger.warn(details ?? {}, event),
    error: (event, details) => logger.error(details ?? {}, event),
  };
}

/** In milliseconds. A process that is killed loses the lines of this time. */
const writeInterval = 20;

/**
 * Collects lines and writes them to stdout in one call, because a write for each lead takes longer than its validation. No line
 * is lost when the process exits.
 */
function inBatches(): (line: string) => void {
  let lines = '';
  const flush = () => {
    if (lines !== '') process.stdout.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  return (line) => {
    if (lines === '') setTimeout(flush, writeInterval).unref();
    lines += line;
  };
}

const textLog: Log = {
  info: (event, details) => void process.stdout.write(formatLine(event, details)),
  warn: (event, details) => void process.stdout.write(formatLine(event, details)),
  error: (event, details) => void process.stderr.write(formatLine(event, details)),
};

/** Formats an event as one line, with its details in brackets. */
export function formatLine(event: string, details: LogDetails = {}): string {
  const facts = Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${String(value)}`);
  return `lead-service: ${event}${facts.length > 0 ? ` (${facts.join(' ')})` : ''}\n`;
}

/** Name, code and stack of an error and of its causes. Omits the messages, because they may quote personal data. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const code = 'code' in error ? ` ${String(error.code)}` : '';
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at .*:\d+:\d+\)?$/.test(line));
  const cause = error.cause === undefined ? '' : `\n  caused by ${describeError(error.cause)}`;
  return [`${error.name}${code}`, ...frames].join('\n') + cause;
}

/** For callers whose only error reports are exceptions. */
export const noopLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** The request that the current asynchronous context handles. */
interface CurrentRequest {
  /** From the `X-Request-Id` header, or generated. */
  readonly id: string;
}

const requestContext = new AsyncLocalStorage<CurrentRequest>();

/** Runs the action in the context of the request, including all asynchronous work that it starts. Its log lines contain the id. */
export function withinRequest<Result>(request: CurrentRequest, action: () => Result): Result {
  return requestContext.run(request, action);
}

/**
 * Runs the action without a request context, including all asynchronous work that it starts: for work that several requests
 * share, although one triggers it.
 */
export function outsideOfRequests<Result>(action: () => Result): Result {
  return requestContext.exit(action);
}
