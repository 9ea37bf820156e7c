import type { Stats } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { basename, dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import Negotiator from 'negotiator';
import send from 'send';
import type { HeaderValues } from '../page/security-headers.ts';

/**
 * Answers a request with a file, or the best copy of it that the client accepts. Answers conditional requests, except for
 * error pages.
 *
 * @param path of a file that is not replaced, because its size is read before it is opened
 * @param delta path of the file's delta to a file that the client has, if there is one
 * @returns whether there is such a file; otherwise nothing was sent
 */
export async function sendFile(
  response: ServerResponse,
  path: string,
  headers: HeaderValues,
  { status = 200, delta }: { readonly status?: 200 | 404; readonly delta?: string | undefined } = {},
): Promise<boolean> {
  const { req: request } = response;
  // Conditions of changes, with which the library would refuse to send a file.
  delete request.headers['if-match'];
  delete request.headers['if-unmodified-since'];
  response.statusCode = status;
  // Best first: the delta (`dcb`, Brotli with a dictionary), compressed copies beside the file, and the file itself.
  const copies = { dcb: delta, br: `${path}.br`, gzip: `${path}.gz` };
  const accepted = new Negotiator(request).encodings(Object.keys(copies));
  for (const [encoding, copy] of Object.entries(copies)) {
    if (copy === undefined || !accepted.includes(encoding)) continue;
    const encoded = { ...headers, 'Content-Encoding': encoding };
    if (await sendCopy(response, copy, encoded)) return true;
  }
  return sendCopy(response, path, headers);
}

/** Sends a file, or 304 if the client has it. Resolves to whether there is one. */
function sendCopy(response: ServerResponse, path: string, headers: HeaderValues): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const options = { root: dirname(path), acceptRanges: false, cacheControl: false, lastModified: false };
  send(response.req, basename(path), { ...options, dotfiles: 'allow' })
    .on('headers', (_response: ServerResponse, _path: string, { size, mtime }: Stats) => {
      // With the name, because the copies of the landing page have one address, and may have the same size and time.
      const etag = `"${size.toString(16)}-${mtime.getTime().toString(16)}-${basename(path)}"`;
      // The caller's headers come last, because a file with deltas varies by its dictionary as well.
      response.setHeaders(new Map(Object.entries({ Vary: 'Accept-Encoding', ETag: etag, ...headers })));
    })
    .on('directory', () => resolve(false))
    .on('error', (error: Error & { readonly status: number }) => {
      const isMissing = error.status === 404 && !response.hasHeader('ETag');
      if (isMissing) resolve(false);
      else reject(error);
    })
    .pipe(response);
  finished(response).then(() => resolve(true), reject);
  return promise;
}
