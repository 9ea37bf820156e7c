import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of a test, on a free port. */
export interface LocalServer extends AsyncDisposable {
  readonly url: string;
  readonly port: string;
  /** Closes all connections and the server. */
  close(): Promise<void>;
}

export async function startServer(respond: RequestListener, host = '127.0.0.1'): Promise<LocalServer> {
  const server = createServer(respond).listen(0, host);
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const close = async () => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `http://${host}:${port}`, port, close, [Symbol.asyncDispose]: close };
}
