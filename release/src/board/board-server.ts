import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isLoopbackHost } from '@countersign/contracts/program';
import { readOwners } from '../deploy/owners.ts';
import { errorMessage } from '../platform/errors.ts';
import { closeServer, listen } from '../platform/listen.ts';
import type { ReleaseStore } from '../store/release-store.ts';
import { composeBoard } from './board-page.ts';

const headers = {
  'Cache-Control': 'no-store',
  // In addition to the policy in the page.
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** The sources of the board: a store, and the owners of its parts. */
interface Board {
  readonly store: ReleaseStore;
  readonly ownersFile: string;
  /** Gets the address of the board, and the error of each request that failed. */
  print(line: string): void;
}

/** Serves the board on this machine, see {@link answerWithBoard}. Refuses other host names, against DNS rebinding. */
export function createBoardServer(board: Board): Server {
  return createServer((request, response) => {
    if (isLoopbackHost(request.headers.host)) return void answerWithBoard(board, request, response);
    answer(response, 421, 'This is no name of the release board. Let the proxy send "Host: localhost".\n');
  });
}

/** Serves the board beside a site, on the loopback interface. Resolves to the function that closes it. */
export async function openBoard(board: Board, wantedPort: number): Promise<() => Promise<void>> {
  const server = createBoardServer(board);
  const port = await listen(server, wantedPort, 'BOARD_PORT');
  board.print(`the release board is on http://127.0.0.1:${port}`);
  return () => closeServer(server, 0);
}

/** Answers with the board at `/`, its pictures, and nothing else of the store. 503 if the store or the owners' file fails. */
export async function answerWithBoard(
  { store, ownersFile, print }: Board,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [path = ''] = url.split('?', 1);
  try {
    if (method !== 'GET' && method !== 'HEAD')
      return answer(response, 405, 'This address can only be read.\n');
    const isBoard = path === '/';
    const found = await (isBoard
      ? composeBoard(store, readOwners(ownersFile))
      : store.pictures.readPicture(path.slice(1)));
    if (found) return answer(response, 200, found, isBoard ? 'text/html; charset=utf-8' : 'image/png');
    answer(response, 404, 'There is only the release board at / here, as soon as a page is live.\n');
  } catch (error) {
    print(`The release board could not be read: ${errorMessage(error)}`);
    answer(response, 503, 'The release board cannot be read now. Try again in a minute.\n');
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
