import { once } from 'node:events';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { Site } from '../assembly/site-files.ts';
import type { Certificate } from './certificate.ts';

/** Server for all variants, one at a time. */
export interface PageServer {
  readonly origin: string;
  show(site: Site): void;
  close(): void;
}

/** Starts an HTTP/2 server with TLS on localhost. */
export async function startPageServer({ key, cert }: Certificate): Promise<PageServer> {
  let shown: Site = new Map();
  const server = createSecureServer({ key, cert }, (request, response) => answer(shown, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port.');
  return {
    origin: `https://localhost:${address.port}`,
    show(site) {
      shown = site;
    },
    close: () => void server.close(),
  };
}

function answer(site: Site, request: Http2ServerRequest, response: Http2ServerResponse): void {
  const [path = '/'] = request.url.split('?', 1);
  if (path.startsWith('/api/')) {
    // Telemetry and leads get an empty response, the same for all variants.
    request.resume();
    response.writeHead(204, { 'cache-control': 'no-store' }).end();
    return;
  }
  const file = site.get(path);
  if (!file) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found.');
  } else if (request.headers['if-none-match'] === file.headers['etag']) {
    const { 'cache-control': caching = '', etag = '' } = file.headers;
    response.writeHead(304, { 'cache-control': caching, etag }).end();
  } else {
    response.writeHead(200, file.headers).end(file.body);
  }
}
