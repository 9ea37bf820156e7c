/** Where the service says what it does. A line never holds anything that a person typed. */
export interface Log {
  info(line: string): void;
  error(line: string): void;
}

/** Writes to stdout and stderr, one line each, with the service's name in front. */
export function createProcessLog(): Log {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', outliveReader);
  return {
    info: (line) => void process.stdout.write(`lead-service: ${line}\n`),
    error: (line) => void process.stderr.write(`lead-service: ${line}\n`),
  };
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
