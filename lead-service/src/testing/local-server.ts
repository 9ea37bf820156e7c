import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Server } from 'node:net';

/** Starts to listen on a free port of this machine, and returns the port. */
export async function listenLocally(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts an HTTP server on a free port. Disposal stops it, and closes its connections. */
export async function serveLocally(listener: RequestListener) {
  const server = createServer(listener);
  const port = await listenLocally(server);
  return {
    ...{ port, url: `http://127.0.0.1:${port}/` },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
