import { once } from 'node:events';
import type { Server } from 'node:http';
import { isIPv6, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from './errors.ts';
import { ReleaseError } from './release-error.ts';

/**
 * Listens, by default on the loopback interface, and returns the port. Throws a {@link ReleaseError} if the port is unavailable.
 *
 * @param variable environment variable that sets the port, for the message
 */
export async function listen(
  server: Server,
  port: number,
  variable: string,
  host = '127.0.0.1',
): Promise<number> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const code = errorCode(cause);
    const message =
      code === 'EADDRINUSE'
        ? `Port ${port} is in use. Stop the process that listens there, or choose another`
        : `Port ${port} of ${host} cannot be opened (${code}). Choose another`;
    throw new ReleaseError(`${message} with ${variable}=<port>.`, { cause });
  }
  return (server.address() as AddressInfo).port;
}

/** An address or host name as URLs have it: IPv6 addresses are in brackets. */
export function hostInUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

/**
 * Graceful shutdown: accepts no new connections, runs `finish`, which may wait for requests in flight, gives answers a moment more, and
 * closes all connections, also those of clients that do not read their answer.
 *
 * @param drainTimeout milliseconds that answers get to reach their clients
 */
export async function closeServer(
  server: Server,
  drainTimeout: number,
  finish?: () => Promise<void>,
): Promise<void> {
  const closed = new Promise((end) => server.close(end));
  await finish?.();
  server.closeIdleConnections();
  await Promise.race([closed, delay(drainTimeout, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
