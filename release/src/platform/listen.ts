import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReleaseError } from './release-error.ts';

/** Listens on the loopback interface and returns the port. Throws a {@link ReleaseError} if the port is unavailable. */
export async function listen(server: Server, port: number, variable: string): Promise<number> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new ReleaseError(
        `Port ${port} is in use. Stop the process that listens there, or choose another with ${variable}=<port>.`,
        { cause },
      );
    }
    throw new ReleaseError(
      `Port ${port} cannot be opened (${code}). Choose another with ${variable}=<port>.`,
      {
        cause,
      },
    );
  }
  return (server.address() as AddressInfo).port;
}
