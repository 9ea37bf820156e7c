import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isLoopbackHost } from '@countersign/contracts/program';
import { listen } from '../platform/listen.ts';
import { printLine } from '../platform/print-line.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { boardKey } from './write-board.ts';

const headers = {
  'Cache-Control': 'no-store',
  // In addition to the policy in the page.
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Matches the path of a picture of the check: its key in the store. */
const picturePath = /^\/(checks\/pictures\/[\w-]+\/\w[\w.+-]*\/[\w-]+\.png)$/;

/** Serves the board on this machine, see {@link answerWithBoard}. Refuses other host names, against DNS rebinding. */
export function createBoardServer(objects: ObjectStore): Server {
  return createServer((request, response) => {
    if (isLoopbackHost(request.headers.host)) return void answerWithBoard(objects, request, response);
    answer(response, 421, 'This is no name of the release board. Let the proxy send "Host: localhost".\n');
  });
}

/** Serves the board beside a site, on the loopback interface. Resolves to the function that closes it. */
export async function openBoard(objects: ObjectStore, wantedPort: number): Promise<() => void> {
  const server = createBoardServer(objects);
  const port = await listen(server, wantedPort, 'BOARD_PORT');
  printLine(`the release board is on http://127.0.0.1:${port}`);
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

/** Answers with the stored board at `/`, its pictures, and nothing else of the store. 503 if the store fails. */
export async function answerWithBoard(
  objects: ObjectStore,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = ''] = url.split('?', 1);
  const [, picture] = picturePath.exec(path) ?? [];
  try {
    if (method !== 'GET' && method !== 'HEAD')
      return answer(response, 405, 'This address can only be read.\n');
    const key = path === '/' ? boardKey : picture;
    const found = key === undefined ? undefined : await objects.read(key);
    if (found) return answer(response, 200, found.bytes, picture ? 'image/png' : 'text/html; charset=utf-8');
    answer(response, 404, 'There is only the release board at / here. Each change of the page writes it.\n');
  } catch {
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
