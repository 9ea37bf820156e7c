/** Names of this machine's loopback addresses, with or without a port. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?$/i;

/**
 * Whether a `Host` header names this machine. Servers for this machine refuse other names, against DNS rebinding: a page of
 * another origin that resolves its own name to a loopback address still sends that name.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return loopbackHost.test(host ?? '');
}

/**
 * Keeps a program running when its terminal or the reader of its log goes away: errors of stdout and stderr, such as EPIPE and EIO,
 * end nothing. Each program that runs until it is stopped calls it first.
 */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
