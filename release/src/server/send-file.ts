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
 * Sends a file, or the best copy of it that the client accepts. Answers conditional requests and single byte ranges,
 * except for error pages.
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

/** Answers with an open file: in this order 304 if the client has it, 416 or 206 for a range, else the whole file. */
async function send(
  { headers: asked, method }: IncomingMessage,
  response: ServerResponse,
  file: FileHandle,
  headers: Headers,
  status: 200 | 404,
): Promise<void> {
  const { size, mtime } = await file.stat();
  const etag = tagOf({ size, mtime });
  const lastModified = mtime.toUTCString();
  const all = { Vary: 'Accept-Encoding', ETag: etag, 'Last-Modified': lastModified, ...headers };
  response.setHeaders(new Map(Object.entries(all)));
  if (status === 200 && tagsIn(asked['if-none-match']).some((tag) => tag === etag || tag === '*')) {
    response.writeHead(304).end();
    return;
  }
  const ifRange = asked['if-range'];
  const mayBePartial =
    status === 200 && (ifRange === undefined || [etag, lastModified].includes(String(ifRange)));
  const range = mayBePartial ? rangeIn(asked.range, size) : undefined;
  if (range && range.start >= size) {
    response.writeHead(416, { 'Content-Range': `bytes */${size}` }).end();
    return;
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  response.setHeader('Accept-Ranges', 'bytes');
  response.setHeader('Content-Length', end - start + 1);
  if (range) response.setHeader('Content-Range', `bytes ${start}-${end}/${size}`);
  response.writeHead(range ? 206 : status);
  if (method === 'HEAD' || size === 0) response.end();
  else await pipeline(file.createReadStream({ start, end, autoClose: false }), response);
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

/** A single valid range of bytes, perhaps after the end; `undefined` for other `Range` headers, which servers may ignore. */
function rangeIn(header = '', size: number): { readonly start: number; readonly end: number } | undefined {
  const [, first = '', last = ''] = /^bytes=(?=.*\d)(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (first + last === '') return undefined;
  const isSuffix = first === '';
  if (isSuffix) {
    const length = Number(last);
    return { start: length === 0 ? size : Math.max(0, size - length), end: size - 1 };
  }
  const start = Number(first);
  if (last === '') return { start, end: size - 1 };
  return Number(last) < start ? undefined : { start, end: Math.min(Number(last), size - 1) };
}
