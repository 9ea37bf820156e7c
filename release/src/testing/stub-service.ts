import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { listen } from '../platform/listen.ts';
import { sendRequest, type RequestOptions } from './send-request.ts';

export type OpenServer = Awaited<ReturnType<typeof openServer>>;

/** Lets a server listen on a free port. Disposing of it closes it with all connections. */
export async function openServer(server: Server) {
  const port = await listen(server, 0, 'PORT');
  return {
    server,
    port,
    origin: `http://127.0.0.1:${port}`,
    request: (path: string, options?: RequestOptions) => sendRequest(port, path, options),
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
