import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import { StartFailure } from './start-failure.ts';

/** How long a client may take, in milliseconds. */
export interface Patience {
  /** For the headers of a request, from the first byte or from the connection. */
  readonly headersTimeout: number;
  /** For a whole request with its body. */
  readonly requestTimeout: number;
  /** For the next request on the same connection. */
  readonly keepAliveTimeout: number;
  /** How often the first two are looked after. */
  readonly connectionsCheckingInterval: number;
  /** For the requests in flight to finish when the service stops. */
  readonly stopTimeout: number;
}

const usualPatience: Patience = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the usual minute of a proxy, so that it is the proxy that gives up an idle connection.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  stopTimeout: 10_000,
};
/** In bytes; all headers of a request together. More is answered with 431. */
const maxHeaderSize = 16 * 1024;

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

export interface RunningServer {
  readonly url: string;
  /** Stops accepting, finishes the requests in flight, and resolves when the last connection is closed. */
  stop(): Promise<void>;
}

/** Listens, and resolves when requests are accepted. Throws {@link StartFailure} when the address cannot be had. */
export async function startServer(
  app: Koa,
  address: ServerAddress,
  patience: Partial<Patience> = {},
  setting: AddressSetting = 'LEADS',
): Promise<RunningServer> {
  const { stopTimeout, ...timeouts } = { ...usualPatience, ...patience };
  const server = createServer({ ...timeouts, maxHeaderSize }, app.callback());
  const traffic = watchTraffic(server);
  const url = await listen(server, address, setting);
  let stopped: Promise<void> | undefined;
  return {
    url,
    stop: () => (stopped ??= close(server, traffic, stopTimeout)),
  };
}

interface Traffic {
  /** Connections on which no request has come yet, as browsers open them in advance. */
  readonly unused: ReadonlySet<Socket>;
  readonly inFlight: ReadonlySet<ServerResponse>;
}

function watchTraffic(server: Server): Traffic {
  const unused = new Set<Socket>();
  const inFlight = new Set<ServerResponse>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.on('close', () => unused.delete(socket));
  });
  server.on('request', (request, response) => {
    unused.delete(request.socket);
    inFlight.add(response);
    response.on('close', () => inFlight.delete(response));
  });
  return { unused, inFlight };
}

/** What the settings of an address begin with. */
type AddressSetting = 'LEADS' | 'ADMIN' | 'METRICS';

/**
 * Listens, and returns the URL. Throws {@link StartFailure} when the address cannot be had.
 */
export async function listen(
  server: Server,
  address: ServerAddress,
  setting: AddressSetting,
): Promise<string> {
  server.listen({ host: address.host, port: address.port });
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartFailure(explain(error as NodeJS.ErrnoException, address, setting), { cause: error });
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
      return `Port ${port} on ${host} is in use. Stop what listens there, or set ${setting}_PORT to a free port.`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Set ${setting}_PORT to a port above 1023.`;
    default:
      return `Cannot listen on ${host}, port ${port} (${code ?? message}). Check ${setting}_HOST and ${setting}_PORT.`;
  }
}

function urlOf(server: Server): string {
  // A TCP server that listens has an address of this shape; a string is a pipe's.
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function close(server: Server, { unused, inFlight }: Traffic, stopTimeout: number): Promise<void> {
  return new Promise((resolve) => {
    // Node stops enforcing its own time-outs once a server closes.
    const deadline = setTimeout(() => server.closeAllConnections(), stopTimeout);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    // Node closes connections that are idle between two requests, but neither of these two kinds.
    for (const socket of unused) socket.destroy();
    for (const response of inFlight) response.shouldKeepAlive = false;
  });
}
