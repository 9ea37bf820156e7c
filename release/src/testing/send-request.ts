import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends a request with exactly this path, because `fetch` would normalise it. Does not decode the response, nor follow redirects.
 */
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
