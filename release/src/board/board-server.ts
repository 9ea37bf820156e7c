import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isLoopbackHost } from '@countersign/contracts/loopback-host';
import type { ObjectStore } from '../store/object-store.ts';
import { boardHeaderPolicy } from './board-page.ts';
import { boardKey } from './write-board.ts';

/** Headers of the board, and of the page in front of it. */
export const boardHeaders = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** Matches the path of a picture of the check: its key in the store. */
const picturePath = /^\/(checks\/pictures\/[\w-]+\/\w[\w.+-]*\/[\w-]+\.png)$/;

/** Serves the board on this machine, see {@link answerWithBoard}. Refuses requests to other host names. */
export function createBoardServer(objects: ObjectStore): Server {
  return createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    if (isLoopbackHost(request.headers.host)) return void answerWithBoard(objects, request, response);
    refuse(response, 421, 'This is no name of the release board. Let the proxy send "Host: localhost".\n');
  });
}

/** Answers with the stored board at `/`, its pictures, and nothing else of the store. 503 if the store fails. */
export async function answerWithBoard(
  objects: ObjectStore,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    await answer(objects, request, response);
  } catch {
    refuse(response, 503, 'The store does not answer. Try again in a minute.\n');
  }
}

async function answer(
  objects: ObjectStore,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return refuse(response, 405, 'This address can only be read.\n');
  }
  const [path = ''] = request.url?.split('?', 1) ?? [];
  const [, pictureKey] = picturePath.exec(path) ?? [];
  const picture = pictureKey === undefined ? undefined : await objects.read(pictureKey);
  if (picture) {
    const policy = { 'Content-Security-Policy': 'sandbox', 'Content-Type': 'image/png' };
    return void response.writeHead(200, { ...boardHeaders, ...policy }).end(picture.bytes);
  }
  if (path !== '/') return refuse(response, 404, 'There is only the release board at / here.\n');
  const found = await objects.read(boardKey);
  if (!found) {
    return refuse(response, 404, 'No board has been written yet. Run: npm run release -- board\n');
  }
  const page = new TextDecoder().decode(found.bytes);
  response
    .writeHead(200, {
      ...boardHeaders,
      'Content-Security-Policy': boardHeaderPolicy(page),
      'Content-Type': 'text/html; charset=utf-8',
    })
    .end(page);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response
    .writeHead(status, {
      ...boardHeaders,
      'Content-Security-Policy': 'sandbox',
      'Content-Type': 'text/plain; charset=utf-8',
      ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
    })
    .end(message);
}
