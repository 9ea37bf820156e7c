import { createServer, type Server } from 'node:http';
import { isLoopbackHost } from '@countersign/contracts/loopback-host';
import type { ObjectStore } from '../store/object-store.ts';
import { boardHeaderPolicy } from './compose-board.ts';
import { boardKey } from './write-board.ts';

const headers = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** Pictures of the check, with their keys in the store as paths. */
const picturePath = /^\/(checks\/pictures\/[\w-]+\/\w[\w.+-]*\/[\w-]+\.png)$/;

/** Serves the stored board at `/`, its pictures, and nothing else of the store. Refuses requests to other host names. */
export function createBoardServer(objects: ObjectStore): Server {
  return createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    const refuse = (status: number, message: string) =>
      response
        .writeHead(status, {
          ...headers,
          'Content-Security-Policy': 'sandbox',
          'Content-Type': 'text/plain; charset=utf-8',
          ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
        })
        .end(message);
    const answer = async (): Promise<void> => {
      if (!isLoopbackHost(request.headers.host)) {
        return void refuse(
          421,
          'This is no name of the release board. Let the proxy send "Host: localhost".\n',
        );
      }
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        return void refuse(405, 'This address can only be read.\n');
      }
      const [path = ''] = request.url?.split('?', 1) ?? [];
      const [, pictureKey] = picturePath.exec(path) ?? [];
      const picture = pictureKey === undefined ? undefined : await objects.read(pictureKey);
      if (picture) {
        const policy = { 'Content-Security-Policy': 'sandbox', 'Content-Type': 'image/png' };
        return void response.writeHead(200, { ...headers, ...policy }).end(picture.bytes);
      }
      if (path !== '/') {
        return void refuse(404, 'There is only the release board at / here.\n');
      }
      const found = await objects.read(boardKey);
      if (!found) return void refuse(404, 'No board has been written yet. Run: npm run release -- board\n');
      const page = new TextDecoder().decode(found.bytes);
      response
        .writeHead(200, {
          ...headers,
          'Content-Security-Policy': boardHeaderPolicy(page),
          'Content-Type': 'text/html; charset=utf-8',
        })
        .end(page);
    };
    answer().catch(() => refuse(503, 'The store does not answer. Try again in a minute.\n'));
  });
}
