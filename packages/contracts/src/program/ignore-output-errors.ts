/**
 * Keeps a program running when its terminal or the reader of its log goes away: errors of stdout and stderr, such as EPIPE and EIO,
 * end nothing. Each program that runs until it is stopped calls it first.
 */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
