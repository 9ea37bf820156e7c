import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type Koa from 'koa';
import { StartFailure } from './start-failure.ts';

const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Longer than the usual minute of a proxy, so that it is the proxy that gives up an idle connection.
  keepAliveTimeout: 65_000,
};
/** How long requests in flight may take to finish when the service stops. */
const stopTimeout = 10_000;

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
export async function startServer(app: Koa, address: ServerAddress): Promise<RunningServer> {
  const server = createServer(timeouts, app.callback());
  const traffic = watchTraffic(server);
  await listen(server, address);
  let stopped: Promise<void> | undefined;
  return {
    url: urlOf(server),
    stop: () => (stopped ??= close(server, traffic)),
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

async function listen(server: Server, address: ServerAddress): Promise<void> {
  server.listen(address);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw new StartFailure(explain(error as NodeJS.ErrnoException, address), { cause: error });
  }
}

function explain({ code, message }: NodeJS.ErrnoException, { host, port }: ServerAddress): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop what listens there, or set LEADS_PORT to a free port.`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Set LEADS_PORT to a port above 1023.`;
    default:
      return `Cannot listen on ${host}, port ${port} (${code ?? message}). Check LEADS_HOST and LEADS_PORT.`;
  }
}

function urlOf(server: Server): string {
  // A TCP server that listens has an address of this shape; a string is a pipe's.
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function close(server: Server, { unused, inFlight }: Traffic): Promise<void> {
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
