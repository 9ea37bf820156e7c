import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { listen } from '../server/listen.ts';
import { sendRequest, type RawResponse, type RequestOptions } from './send-request.ts';

/** A server on a free port. Disposing of it closes it with all connections. */
export interface OpenServer extends AsyncDisposable {
  readonly server: Server;
  readonly port: number;
  readonly origin: string;
  request(path: string, options?: RequestOptions): Promise<RawResponse>;
}

export async function openServer(server: Server): Promise<OpenServer> {
  const port = await listen(server, 0, 'PORT');
  return {
    server,
    port,
    origin: `http://127.0.0.1:${port}`,
    request: (path, options) => sendRequest(port, path, options),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Starts an HTTP server that replaces another one, such as the lead service. */
export function startStubService(answer: RequestListener): Promise<OpenServer> {
  return openServer(createServer(answer));
}
