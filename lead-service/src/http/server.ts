import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { host, port, wholeNumber } from '@countersign/contracts/settings';
import type Koa from 'koa';
import * as z from 'zod';
import { StartupError } from '../platform/explained-error.ts';

export const serverSettings = z.object({
  LEADS_PORT: port().default(3001).describe('Port to listen on; `0` picks a free one'),
  LEADS_HOST: host().default('127.0.0.1').describe('Address or host name to listen on'),
  STOP_DELAY_SECONDS: wholeNumber(0, 600)
    .default(0)
    .describe(
      'Seconds for which `/readyz` answers 503 at a stop before the service closes its ports, so that a load balancer can react',
    ),
});

/** In milliseconds. */
const defaultTimeouts = {
  /** For the headers, from the first byte or from the connection. */
  headersTimeout: 10_000,
  /** For a complete request with its body. */
  requestTimeout: 30_000,
  /**
   * For the next request on the same connection. Longer than the usual 60 s of proxies, so that the proxy closes idle connections first.
   * That avoids a race with its next request.
   */
  keepAliveTimeout: 65_000,
  /** Interval at which Node checks the first two timeouts. */
  connectionsCheckingInterval: 2_000,
  /** For requests in flight during a graceful shutdown. */
  stopTimeout: 10_000,
};

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/** Starts to listen, and resolves once the server accepts requests. Throws {@link StartupError} if the address is unavailable. */
export async function startServer(
  app: Koa,
  address: ServerAddress,
  setting: AddressSetting = 'LEADS',
  timeouts: Partial<typeof defaultTimeouts> = {},
) {
  const { stopTimeout, ...serverTimeouts } = { ...defaultTimeouts, ...timeouts };
  const handle = app.callback();
  const server = createServer(serverTimeouts, (request, response) => {
    // Koa handles its own errors.
    void handle(request, response);
  });
  const connections = watchConnections(server);
  const url = await listen(server, address, setting);
  let stopped: Promise<void> | undefined;
  /** Graceful shutdown: closes the listener, finishes requests in flight, and resolves when all connections are closed. */
  const stop = () => (stopped ??= close(server, connections, stopTimeout));
  return { url, stop, [Symbol.asyncDispose]: stop };
}

/** The open connections with their last responses. Browsers open connections in advance, which have none. */
type Connections = ReadonlyMap<Socket, ServerResponse | undefined>;

function watchConnections(server: Server): Connections {
  const connections = new Map<Socket, ServerResponse | undefined>();
  server.on('connection', (socket) => {
    connections.set(socket, undefined);
    socket.on('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }, response) => connections.set(socket, response));
  return connections;
}

/** Prefix of the settings `…_HOST` and `…_PORT` that an error message names. */
type AddressSetting = 'LEADS' | 'ADMIN' | 'METRICS';

async function listen(server: Server, address: ServerAddress, setting: AddressSetting): Promise<string> {
  server.listen({ host: address.host, port: address.port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartupError(explain(error as NodeJS.ErrnoException, address, setting), { cause: error });
  }
  return urlOf(server);
}

function explain(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: ServerAddress,
  setting: string,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop the process that listens there, or set ${setting}_PORT to a free port.`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Set ${setting}_PORT to a port above 1023.`;
    default:
      return `Cannot listen on ${host}, port ${port} (${code ?? message}). Check ${setting}_HOST and ${setting}_PORT.`;
  }
}

function urlOf(server: Server): string {
  // A listening TCP server always has an AddressInfo; only pipes have a string.
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function close(server: Server, connections: Connections, stopTimeout: number): Promise<void> {
  return new Promise((resolve) => {
    // Node enforces no timeouts while a server closes, so a slow client could delay the stop for ever.
    const deadline = setTimeout(() => server.closeAllConnections(), stopTimeout);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    // Node closes only keep-alive connections that are idle between requests.
    for (const [socket, response] of connections) {
      if (response === undefined) socket.destroy();
      else response.shouldKeepAlive = false;
    }
  });
}
