import { once } from 'node:events';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import { posix } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { Certificate } from '@countersign/browser/certificate';
import {
  availableDictionary,
  namePattern,
  pageDictionaryHeaders,
} from '../../../../release/src/page/dictionary-headers.ts';
import { createDelta, dictionaryName } from '../../../../release/src/store/delta-file.ts';
import type { Site, SiteFile } from '../assembly/site-files.ts';

/** Server for the compared builds of the page, one at a time. */
export interface PageServer {
  readonly origin: string;
  /**
   * Shows a site. With an earlier one, which may be empty, the server uses compression dictionaries: a browser that has a file of
   * the site or of the earlier one gets the difference to it.
   */
  show(site: Site, earlier?: Site): void;
  close(): void;
}

/** Starts an HTTP/2 server with TLS on localhost. */
export async function startPageServer({ key, cert }: Certificate): Promise<PageServer> {
  let shown: Site = new Map();
  let dictionaries: Dictionaries | undefined;
  const server = createSecureServer({ key, cert }, (request, response) => {
    answer(shown, dictionaries, request, response).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port.');
  return {
    origin: `https://localhost:${address.port}`,
    show(site, earlier) {
      shown = site;
      dictionaries = earlier && dictionariesOf([site, earlier]);
    },
    close: () => void server.close(),
  };
}

/** Name of a dictionary → its content. */
type Dictionaries = ReadonlyMap<string, Uint8Array>;

function dictionariesOf(sites: readonly Site[]): Dictionaries {
  const contents = sites.flatMap((site) => [...site.values()].map(contentOf));
  return new Map(contents.map((content) => [dictionaryName(content), content]));
}

function contentOf({ body, headers }: SiteFile): Uint8Array {
  return headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body;
}

/** Makes a file the dictionary of its successor, whose path differs in version and hash only: `match="/mf-pricing/…/entry.….js"`. */
function dictionaryHeaders(path: string, request: Http2ServerRequest): Readonly<Record<string, string>> {
  if (path === '/') {
    // In lower case, as in `SiteFile`, so that they replace the file's own headers.
    const headers = Object.entries(pageDictionaryHeaders(request.headers));
    return Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  }
  const { dir, base } = posix.parse(path);
  const pattern = namePattern(base);
  const folder = dir.replace(/\/\d+\.\d+\.\d+[^/]*/, '/*').replace(/\/?$/, '/');
  return pattern === undefined ? {} : { 'use-as-dictionary': `match="${folder}${pattern}"` };
}

async function answer(
  site: Site,
  dictionaries: Dictionaries | undefined,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): Promise<void> {
  const [path = '/'] = request.url.split('?', 1);
  if (path.startsWith('/api/')) {
    // Page reports and leads get an empty response, the same for all variants.
    request.resume();
    response.writeHead(204, { 'cache-control': 'no-store' }).end();
    return;
  }
  const file = site.get(path);
  if (!file) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found.');
    return;
  }
  const { 'cache-control': caching = '', etag } = file.headers;
  if (etag !== undefined && request.headers['if-none-match'] === etag) {
    response.writeHead(304, { 'cache-control': caching, etag }).end();
    return;
  }
  const headers = dictionaries ? { ...file.headers, ...dictionaryHeaders(path, request) } : file.headers;
  const dictionary = dictionaries?.get(availableDictionary(request.headers) ?? '');
  if (!dictionary) {
    response.writeHead(200, headers).end(file.body);
    return;
  }
  const { bytes } = await createDelta(path, contentOf(file), dictionary);
  // "dcb": Brotli with a dictionary (RFC 9842).
  response
    .writeHead(200, { ...headers, 'content-encoding': 'dcb', 'content-length': String(bytes.length) })
    .end(bytes);
}
