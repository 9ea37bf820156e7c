import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import sirv from 'sirv';
import { pageFiles } from '../page/compose-pages.ts';
import {
  crossOriginHeaders,
  partFileHeaders,
  publicFileHeaders,
  strictTransport,
  type PartsOrigins,
} from '../page/security-headers.ts';
import { contentTypeOf } from '../platform/content-types.ts';
import type { DirectoryStore } from '../store/directory-store.ts';
import { createApiProxy } from './api-proxy.ts';
import { openPageFolder } from './page-folder.ts';
import { normalizeRequestTarget } from './request-target.ts';

/** For files of published versions, which never change. */
const immutable = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** Path of a public file at the root of the site or in `.well-known`, except pages. */
const publicFile = /^\/(?:\.well-known\/)?[\w-]+\.(?!html\b)\w+$/;

/** For pages, which browsers revalidate with every view. */
const revalidate = { 'Cache-Control': 'no-cache' };

/** Timeouts for clients, in milliseconds. The lead service uses the same values. */
export interface SiteTimeouts {
  /** For the headers of a request. */
  readonly headersTimeout: number;
  /** For a complete request, with its body. */
  readonly requestTimeout: number;
  /** For the next request on the same connection. */
  readonly keepAliveTimeout: number;
  /** Without a byte in either direction, such as a client that does not read. Longer than the lead service takes. */
  readonly idleTimeout: number;
  /** Between two checks of the first two timeouts. */
  readonly connectionsCheckingInterval: number;
}

const defaultTimeouts: SiteTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  idleTimeout: 90_000,
  connectionsCheckingInterval: 2_000,
};

interface SiteOptions {
  /** Origins of other sites that may load parts. */
  readonly partsOrigins?: PartsOrigins;
}

/** Limit of all headers of a request, in bytes. Larger requests get 431. */
const maxHeaderSize = 16 * 1024;

/** `dev` makes sirv read the file system for each request, because versions are published while the server runs. */
const options = { dev: true, brotli: true, gzip: true } as const;

/**
 * Serves a store: the page at `/`, stored releases at `/?release=<id>`, the preview page for developers at `/?preview`
 * (live release only), and published files at `/<part>/<version>/`. Proxies `/api` to the lead service. Responds with the
 * 404 page to everything else.
 */
export function createSiteServer(
  store: DirectoryStore,
  leadServiceOrigin: string,
  { partsOrigins = [], ...timeouts }: Partial<SiteTimeouts> & SiteOptions = {},
): Server {
  const fileHeaders =
    (headers: Readonly<Record<string, string>>) => (response: ServerResponse, pathname: string) => {
      const type = { 'Content-Type': contentTypeOf(pathname) };
      setAll(response, {
        ...headers,
        ...type,
        ...crossOriginHeaders(partsOrigins, response.req.headers.origin),
      });
    };
  const publicFiles = sirv(store.rootDirectory, {
    ...options,
    etag: true,
    extensions: [],
    setHeaders: fileHeaders({ ...revalidate, ...publicFileHeaders }),
  });
  const parts = sirv(store.pathOf('parts'), {
    ...options,
    extensions: [],
    setHeaders: fileHeaders({ ...immutable, ...partFileHeaders }),
  });
  const api = createApiProxy(leadServiceOrigin);

  const { idleTimeout, ...limits } = { ...defaultTimeouts, ...timeouts };
  const server = createServer({ ...limits, maxHeaderSize }, (request, response) => {
    // Closes the file if the client disconnects.
    response.on('pipe', (file) => response.once('close', () => file.destroy()));
    destroyOnError(response, answer(request, response));
  });
  return server.setTimeout(idleTimeout);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = normalizeRequestTarget(request.url ?? '/');
    if (target === undefined) {
      if (isHttps(request)) setAll(response, strictTransport);
      sendText(response, 400, 'This address cannot be read.');
      return;
    }
    // All later steps, including the lead service, use the normalised target.
    request.url = target;
    const [pathname = '/', query] = target.split('?', 2);
    if (pathname === '/api' || pathname.startsWith('/api/')) {
      api(request, response);
      return;
    }
    if (isHttps(request)) setAll(response, strictTransport);
    if (!isRange(request.headers.range ?? '')) delete request.headers.range;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      sendText(response, 405, 'This address can only be read.');
      return;
    }
    const notFound = () => destroyOnError(response, sendNotFound(store, request, response));
    if (pathname === '/') {
      destroyOnError(response, sendPage(store, new URLSearchParams(query), request, response, notFound));
    } else if (publicFile.test(pathname)) {
      // sirv adds no headers to 304. A browser with a copy from before the site was listed would refuse that copy forever.
      const crossOrigin = crossOriginHeaders(partsOrigins, request.headers.origin);
      setAll(response, crossOrigin);
      publicFiles(request, response, () => {
        for (const name of Object.keys(crossOrigin)) response.removeHeader(name);
        notFound();
      });
    } else {
      parts(request, response, notFound);
    }
  }
}

/** Whether a Range header is a single valid byte range. Others are dropped, because sirv misinterprets them or throws. */
function isRange(header: string): boolean {
  const [, start, end] = /^bytes=(\d{1,15})-(\d{1,15})?$/.exec(header) ?? [];
  return start !== undefined && (end === undefined || Number(start) <= Number(end));
}

/** Whether a reverse proxy received the request over HTTPS. */
function isHttps({ headers }: IncomingMessage): boolean {
  return headers['x-forwarded-proto'] === 'https';
}

function setAll(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function sendText(response: ServerResponse, status: number, text: string): void {
  const type = { 'Content-Type': 'text/plain; charset=utf-8' };
  response.writeHead(status, { ...type, ...revalidate, ...partFileHeaders }).end(text);
}

/** Destroys the response on an error, so that a failed read affects one request only. */
function destroyOnError(response: ServerResponse, sending: Promise<void>): void {
  sending.catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
}

async function sendPage(
  store: DirectoryStore,
  parameters: URLSearchParams,
  request: IncomingMessage,
  response: ServerResponse,
  notFound: () => void,
): Promise<void> {
  const preview = parameters.has('preview');
  // Refused, because an older release would accept overrides that an older key signed.
  if (preview && parameters.has('release')) return notFound();
  const folder = await openPageFolder(store, parameters.get('release') ?? undefined);
  if (!folder) return notFound();
  const name = preview ? pageFiles.preview : pageFiles.landing;
  const headers = { ...revalidate, ...folder.headersOf(name), 'Content-Type': contentTypeOf(name) };
  const page = sirv(folder.path, {
    ...options,
    etag: true,
    setHeaders: (answer) => setAll(answer, headers),
  });
  // sirv resolves the file from the URL.
  request.url = `/${name}`;
  page(request, response, notFound);
}

/** Sends the 404 page to requests that accept HTML, and plain text to others, such as scripts and stylesheets. */
async function sendNotFound(
  store: DirectoryStore,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const folder = await openPageFolder(store);
  if (!folder || !request.headers.accept?.includes('text/html')) {
    sendText(response, 404, 'Not found.');
    return;
  }
  const accepted = String(request.headers['accept-encoding']);
  const [encoding, suffix] = /\bbr\b/.test(accepted)
    ? ['br', '.br']
    : /\bgzip\b/.test(accepted)
      ? ['gzip', '.gz']
      : [undefined, ''];
  response.writeHead(404, {
    'Content-Type': contentTypeOf(pageFiles.notFound),
    ...revalidate,
    ...folder.headersOf(pageFiles.notFound),
    Vary: 'Accept-Encoding',
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
  });
  pipeline(createReadStream(join(folder.path, `${pageFiles.notFound}${suffix}`)), response, (error) => {
    if (error) response.destroy(error);
  });
}
