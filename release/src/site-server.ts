import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createProxyServer } from 'http-proxy-3';
import sirv from 'sirv';
import { pageFiles } from './flip/compose-pages.ts';
import type { DirectoryStore } from './store/directory-store.ts';

/** A published version never changes, so a browser may keep it for good. */
const immutable = 'public, max-age=31536000, immutable';

/** A file at the root of the site. The pages have addresses of their own. */
const publicFile = /^\/[\w-]+\.(?!html\b)\w+$/;

/** Every page view asks whether the page is still the newest. */
const revalidate = 'no-cache';

/**
 * Serves a store as visitors see it: the page at `/`, published files under `/<part>/<version>/`, `/api` passed on to
 * the lead service, and the 404 page with status 404 for everything else.
 */
export function createSiteServer(store: DirectoryStore, leadServiceOrigin: string): Server {
  // `dev`: a version published, or a page composed, while the server runs must be found.
  const options = { dev: true, brotli: true, gzip: true } as const;
  const askAgain = { etag: true, setHeaders: cacheControl(revalidate) };
  const page = sirv(store.rootDirectory, { ...options, ...askAgain });
  const publicFiles = sirv(store.rootDirectory, {
    ...options,
    ...askAgain,
    extensions: [],
    setHeaders(response, pathname) {
      cacheControl(revalidate)(response);
      // sirv does not know this type.
      if (pathname.endsWith('.ico')) response.setHeader('Content-Type', 'image/x-icon');
    },
  });
  const parts = sirv(store.pathOf('parts'), {
    ...options,
    extensions: [],
    setHeaders: cacheControl(immutable),
  });
  const api = createApiProxy(leadServiceOrigin);

  return createServer((request, response) => {
    // Not `URL`: it takes what follows `//` for a host, and throws where it is none.
    const [pathname = '/'] = (request.url ?? '/').split('?', 1);
    if (pathname === '/api' || pathname.startsWith('/api/')) {
      api(request, response);
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD', 'Content-Type': 'text/plain; charset=utf-8' });
      response.end('This address can only be read.');
      return;
    }
    const serve = pathname === '/' ? page : publicFile.test(pathname) ? publicFiles : parts;
    serve(request, response, () => sendNotFound(store, request, response));
  });
}

function cacheControl(value: string): (response: ServerResponse) => void {
  return (response) => response.setHeader('Cache-Control', value);
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

function createApiProxy(target: string): Handler {
  const proxy = createProxyServer({ target, xfwd: true });
  proxy.on('error', (_error, _request, response) => {
    if (!('writeHead' in response) || response.headersSent) {
      response.destroy();
      return;
    }
    response.writeHead(503, { 'Content-Type': 'text/plain; charset=utf-8', 'Retry-After': '5' });
    response.end('We could not take your message just now. Please try again in a moment.');
  });
  // An answer that breaks off must not leave its receiver waiting for the rest.
  proxy.on('proxyRes', (answer, _request, response) => {
    answer.on('close', () => {
      if (!answer.complete) response.destroy();
    });
  });
  return (request, response) => proxy.web(request, response);
}

/** A person gets the 404 page; a script or stylesheet that is missing must not look like one. */
function sendNotFound(store: DirectoryStore, request: IncomingMessage, response: ServerResponse): void {
  if (!request.headers.accept?.includes('text/html')) {
    response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': revalidate });
    response.end('Not found.');
    return;
  }
  const accepted = String(request.headers['accept-encoding']);
  const [encoding, suffix] = /\bbr\b/.test(accepted)
    ? ['br', '.br']
    : /\bgzip\b/.test(accepted)
      ? ['gzip', '.gz']
      : [undefined, ''];
  response.writeHead(404, {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': revalidate,
    Vary: 'Accept-Encoding',
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
  });
  const file = join(store.rootDirectory, `${pageFiles.notFound}${suffix}`);
  pipeline(createReadStream(file), response, (error) => {
    if (error) response.destroy(error);
  });
}
