import { createServer, type RequestListener, type Server } from 'node:http';
import { closeServer, listen } from '../platform/listen.ts';
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
    [Symbol.asyncDispose]: () => closeServer(server, 0),
  };
}

/** Starts an HTTP server that replaces another one, such as the lead service. */
export function startStubService(answer: RequestListener): Promise<OpenServer> {
  return openServer(createServer(answer));
}
