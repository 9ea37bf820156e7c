import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import sirv from 'sirv';
import { createApiProxy } from './api-proxy.ts';
import { contentTypeOf } from './content-types.ts';
import { pageFiles } from './flip/compose-pages.ts';
import { normalizeRequestTarget } from './request-target.ts';
import { openPageFolder } from './security/page-folder.ts';
import { partFileHeaders, publicFileHeaders, strictTransport } from './security/security-headers.ts';
import type { DirectoryStore } from './store/directory-store.ts';
import { formerRecordFiles } from './store/release-store.ts';

/** A published version never changes, so a browser may keep it for good. */
const immutable = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** A file at the root of the site. The pages have addresses of their own. */
const publicFile = /^\/[\w-]+\.(?!html\b)\w+$/;

/** Every page view asks whether the page is still the newest. */
const revalidate = { 'Cache-Control': 'no-cache' };

/** How long a client may take, in milliseconds. The lead service has the same limits where it has a name for them. */
export interface SiteTimeouts {
  /** For the headers of a request, from the first byte or from the connection. */
  readonly headersTimeout: number;
  /** For a whole request with its body. */
  readonly requestTimeout: number;
  /** For the next request on the same connection. */
  readonly keepAliveTimeout: number;
  /** Without a byte in either direction, such as while an answer is not read. Longer than the service takes. */
  readonly idleTimeout: number;
  /** How often the first two are checked. */
  readonly connectionsCheckingInterval: number;
}

const defaultTimeouts: SiteTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  idleTimeout: 90_000,
  connectionsCheckingInterval: 2_000,
};

/** In bytes; all headers of a request together. The answer to more is 431. */
const maxHeaderSize = 16 * 1024;

/** `dev`: a version published, or a page composed, while the server runs must be found. */
const options = { dev: true, brotli: true, gzip: true } as const;

/**
 * Serves a store as visitors see it: the page at `/`, the page of any stored release at `/?release=<id>`, the page in which
 * developers try parts at `/?preview`, of the live release alone, published files under `/<part>/<version>/`, `/api` passed on to the lead service, and the 404 page with status 404 for everything else.
 */
export function createSiteServer(
  store: DirectoryStore,
  leadServiceOrigin: string,
  timeouts: Partial<SiteTimeouts> = {},
): Server {
  const publicFiles = sirv(store.rootDirectory, {
    ...options,
    etag: true,
    extensions: [],
    setHeaders(response, pathname) {
      setAll(response, { ...revalidate, ...publicFileHeaders, 'Content-Type': contentTypeOf(pathname) });
    },
  });
  const parts = sirv(store.pathOf('parts'), {
    ...options,
    extensions: [],
    setHeaders(response, pathname) {
      setAll(response, { ...immutable, ...partFileHeaders, 'Content-Type': contentTypeOf(pathname) });
    },
  });
  const api = createApiProxy(leadServiceOrigin);

  const { idleTimeout, ...limits } = { ...defaultTimeouts, ...timeouts };
  const server = createServer({ ...limits, maxHeaderSize }, (request, response) => {
    // A client that disconnects would leave the file open.
    response.on('pipe', (file) => response.once('close', () => file.destroy()));
    settle(response, answer(request, response));
  });
  return server.setTimeout(idleTimeout);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = normalizeRequestTarget(request.url ?? '/');
    if (target === undefined) {
      if (travelsEncrypted(request)) setAll(response, strictTransport);
      sendText(response, 400, 'This address cannot be read.');
      return;
    }
    // Everything behind this line reads the same address, the lead service included.
    request.url = target;
    const [pathname = '/', query] = target.split('?', 2);
    if (pathname === '/api' || pathname.startsWith('/api/')) {
      api(request, response);
      return;
    }
    if (travelsEncrypted(request)) setAll(response, strictTransport);
    if (!isRange(request.headers.range ?? '')) delete request.headers.range;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      sendText(response, 405, 'This address can only be read.');
      return;
    }
    const notFound = () => settle(response, sendNotFound(store, request, response));
    if (isFormerRecord(pathname)) {
      notFound();
    } else if (pathname === '/') {
      settle(response, sendPage(store, new URLSearchParams(query), request, response, notFound));
    } else {
      (publicFile.test(pathname) ? publicFiles : parts)(request, response, notFound);
    }
  }
}

/** One range of bytes in ascending order. sirv takes every other for a range as well, or throws. */
function isRange(header: string): boolean {
  const [, start, end] = /^bytes=(\d{1,15})-(\d{1,15})?$/.exec(header) ?? [];
  return start !== undefined && (end === undefined || Number(start) <= Number(end));
}

/** Whether a path leads to a record of an earlier releaser, which lies among the files of its version and names people. */
function isFormerRecord(pathname: string): boolean {
  // Empty segments lead to the same file.
  const [, , file = '', ...rest] = pathname.split('/').filter(Boolean);
  const names: readonly string[] = Object.values(formerRecordFiles);
  return rest.length === 0 && names.includes(file.replace(/\.(?:br|gz)$/, ''));
}

/** Where a proxy in front takes encrypted requests, it says so. */
function travelsEncrypted({ headers }: IncomingMessage): boolean {
  return headers['x-forwarded-proto'] === 'https';
}

function setAll(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function sendText(response: ServerResponse, status: number, sentence: string): void {
  const type = { 'Content-Type': 'text/plain; charset=utf-8' };
  response.writeHead(status, { ...type, ...revalidate, ...partFileHeaders }).end(sentence);
}

/** What cannot be read is a broken-off answer to one visitor, and no end of the server. */
function settle(response: ServerResponse, sending: Promise<void>): void {
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
  // An older release would accept overrides that are signed with an older key.
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
  // What the address stands for is another file.
  request.url = `/${name}`;
  page(request, response, notFound);
}

/** A person gets the 404 page; a script or stylesheet that is missing must not look like one. */
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
