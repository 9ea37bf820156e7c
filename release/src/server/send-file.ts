import type { Stats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../store/is-missing-file.ts';

type Headers = Readonly<Record<string, string>>;

/** Compressed copies that lie beside a file, best first. */
const copies = { br: '.br', gzip: '.gz' } as const;

/** Codes of errors of a path that names no file. */
const notFoundCodes: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);

/** A file on disk that can be sent for a request: the file itself, or an encoded copy. */
type Candidate = readonly [encoding: string | undefined, path: string];

/**
 * Sends a file, or the best copy of it that the client accepts. Answers conditional requests, except for
 * error pages.
 *
 * @param delta path of the file's delta to a file that the client has
 * @returns whether there is such a file; otherwise nothing was sent
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  headers: Headers,
  { status = 200, delta }: { readonly status?: 200 | 404; readonly delta?: string | undefined } = {},
): Promise<boolean> {
  const acceptedCopies = Object.entries(copies).filter(([encoding]) => accepts(request, encoding));
  const complete: readonly Candidate[] = [
    ...acceptedCopies.map(([encoding, suffix]): Candidate => [encoding, `${path}${suffix}`]),
    [undefined, path],
  ];
  const deltas: readonly Candidate[] = delta !== undefined && accepts(request, 'dcb') ? [['dcb', delta]] : [];
  // A client that has the complete file already gets 304 for it, which is smaller than a delta.
  const skipsDelta = deltas.length > 0 && (await isFirstKnown(request, complete));
  for (const [encoding, candidate] of skipsDelta ? complete : [...deltas, ...complete]) {
    await using file = await openFile(candidate);
    if (!file) continue;
    const encoded = encoding === undefined ? headers : { ...headers, 'Content-Encoding': encoding };
    await send(request, response, file, encoded, status);
    return true;
  }
  return false;
}

/** Whether `If-None-Match` names the first of the candidates that exists. */
async function isFirstKnown(
  { headers }: IncomingMessage,
  candidates: readonly Candidate[],
): Promise<boolean> {
  for (const [, path] of candidates) {
    await using file = await openFile(path);
    if (file) return tagsIn(headers['if-none-match']).includes(tagOf(await file.stat()));
  }
  return false;
}

function tagOf({ size, mtime }: Pick<Stats, 'size' | 'mtime'>): string {
  return `"${size.toString(16)}-${mtime.getTime().toString(16)}"`;
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
  status: 200 | 404,
): Promise<void> {
  const stats = await file.stat();
  const etag = tagOf(stats);
  response.setHeaders(new Map(Object.entries({ Vary: 'Accept-Encoding', ETag: etag, ...headers })));
  if (status === 200 && tagsIn(asked['if-none-match']).some((tag) => tag === etag || tag === '*')) {
    response.writeHead(304).end();
    return;
  }
  response.writeHead(status, { 'Content-Length': stats.size });
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
