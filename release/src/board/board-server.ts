import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isLoopbackHost } from '@countersign/contracts/program';
import { errorMessage } from '../platform/errors.ts';
import { closeServer, listen } from '../platform/listen.ts';
import type { ReleaseStore } from '../store/release-store.ts';

const headers = {
  'Cache-Control': 'no-store',
  // In addition to the policy in the page.
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Serves the board on this machine, see {@link answerWithBoard}. Refuses other host names, against DNS rebinding. */
export function createBoardServer(store: ReleaseStore, warn: (line: string) => void): Server {
  return createServer((request, response) => {
    if (isLoopbackHost(request.headers.host)) return void answerWithBoard(store, request, response, warn);
    answer(response, 421, 'This is no name of the release board. Let the proxy send "Host: localhost".\n');
  });
}

/** Serves the board beside a site, on the loopback interface. Resolves to the function that closes it. */
export async function openBoard(
  store: ReleaseStore,
  wantedPort: number,
  print: (line: string) => void,
): Promise<() => Promise<void>> {
  const server = createBoardServer(store, print);
  const port = await listen(server, wantedPort, 'BOARD_PORT');
  print(`the release board is on http://127.0.0.1:${port}`);
  return () => closeServer(server, 0);
}

/** Answers with the stored board at `/`, its pictures, and nothing else of the store. 503 if the store fails, whose error `warn` gets. */
export async function answerWithBoard(
  store: ReleaseStore,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  warn: (line: string) => void,
): Promise<void> {
  const [path = ''] = url.split('?', 1);
  try {
    if (method !== 'GET' && method !== 'HEAD')
      return answer(response, 405, 'This address can only be read.\n');
    const isBoard = path === '/';
    const found = await (isBoard ? store.readBoard() : store.pictures.readPicture(path.slice(1)));
    if (found) return answer(response, 200, found, isBoard ? 'text/html; charset=utf-8' : 'image/png');
    answer(response, 404, 'There is only the release board at / here. Each change of the page writes it.\n');
  } catch (error) {
    warn(`The release board could not be read: ${errorMessage(error)}`);
    answer(response, 503, 'The store does not answer. Try again in a minute.\n');
  }
}

function answer(
  response: ServerResponse,
  status: number,
  content: Uint8Array | string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { ...headers, 'Content-Type': type }).end(content);
}
