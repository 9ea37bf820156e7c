import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { closeServer, listen } from '../platform/listen.ts';

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

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request with exactly this path, because `fetch` would normalise it. Does not decode the response, nor follow redirects. */
export async function sendRequest(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: RequestOptions = {},
) {
  const outgoing = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

/** Opens a connection, and sends this text. */
export function dial(port: number, sent: string): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(sent);
  return socket;
}

/** Resolves to what came on a connection once it is closed, also if the server resets it because it closes while bytes still arrive. */
export async function received(socket: Socket): Promise<string> {
  let answer = '';
  socket.on('data', (chunk) => (answer += String(chunk)));
  await new Promise((resolve) => socket.on('close', resolve));
  return answer;
}
