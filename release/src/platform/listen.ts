import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReleaseFault } from './release-fault.ts';

/** Listens on loopback and returns the port. Throws a {@link ReleaseFault} when the port cannot be had. */
export async function listen(server: Server, port: number, variable: string): Promise<number> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new ReleaseFault(
        `Port ${port} is in use. Stop what listens there, or choose another with ${variable}=<port>.`,
        { cause },
      );
    }
    throw new ReleaseFault(
      `Port ${port} cannot be opened (${code}). Choose another with ${variable}=<port>.`,
      {
        cause,
      },
    );
  }
  return (server.address() as AddressInfo).port;
}
