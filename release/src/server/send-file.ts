import { open, stat, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Headers } from '../page/security-headers.ts';
import { errorCode } from '../platform/is-missing-file.ts';

/** Codes of errors of a path that names no file. */
const notFoundCodes: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

interface SendOptions {
  readonly status?: 200 | 404;
  readonly delta?: string | undefined;
  readonly tag?: string;
}

/**
 * Sends a file, or the best copy of it that the client accepts. Answers conditional requests, except for
 * error pages.
 *
 * @param delta path of the file's delta to a file that the client has, if there is one
 * @param tag tells apart files that are sent for the same address, and may have the same size and time
 * @returns whether there is such a file; otherwise nothing was sent
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  headers: Headers,
  { status = 200, delta, tag = '' }: SendOptions = {},
): Promise<boolean> {
  // Best first: the delta (`dcb`, Brotli with a dictionary), compressed copies beside the file, and the file itself.
  const candidates = [
    ['dcb', delta],
    ['br', `${path}.br`],
    ['gzip', `${path}.gz`],
    [undefined, path],
  ] as const;
  for (const [encoding, candidate] of candidates) {
    if (candidate === undefined || (encoding && !accepts(request, encoding))) continue;
    await using file = await openFile(candidate);
    if (!file) continue;
    const encoded = encoding === undefined ? headers : { ...headers, 'Content-Encoding': encoding };
    await send(request, response, file, encoded, { status, tag });
    return true;
  }
  return false;
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    return (await stat(path)).isFile() ? await open(path) : undefined;
  } catch (error) {
    if (notFoundCodes.has(errorCode(error))) return undefined;
    throw error;
  }
}

/** Answers with an open file, or 304 if the client has it. */
async function send(
  { headers: asked, method }: IncomingMessage,
  response: ServerResponse,
  file: FileHandle,
  headers: Headers,
  { status, tag }: Required<Pick<SendOptions, 'status' | 'tag'>>,
): Promise<void> {
  const { size, mtime } = await file.stat();
  const etag = `"${size.toString(16)}-${mtime.getTime().toString(16)}${tag}"`;
  // The caller's headers come last, because a file with deltas varies by its dictionary as well.
  response.setHeaders(new Map(Object.entries({ Vary: 'Accept-Encoding', ETag: etag, ...headers })));
  if (status === 200 && tagsIn(asked['if-none-match']).some((known) => known === etag || known === '*')) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(status, { 'Content-Length': size });
  if (method === 'HEAD') response.end();
  else await pipeline(file.createReadStream({ autoClose: false }), response);
}

/** Whether `Accept-Encoding` lists an encoding, and not with the weight 0. */
function accepts({ headers }: IncomingMessage, encoding: string): boolean {
  const listed = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',');
  return listed.some((item) => {
    const [name = '', ...parameters] = item.split(';').map((word) => word.trim());
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

/** The entity tags in `If-None-Match`, for the weak comparison. */
function tagsIn(header = ''): readonly string[] {
  return header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
}
