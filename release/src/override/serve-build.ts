import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isLoopbackHost } from '@countersign/contracts/loopback-host';
import { partFileHeaders } from '../page/security-headers.ts';
import { contentTypeOf } from '../platform/content-types.ts';
import { listen } from '../platform/listen.ts';

/** A build that is served on localhost to the preview page of one site. */
interface ServedBuild {
  readonly port: number;
  close(): void;
}

/**
 * Serves the files of a build on `http://localhost:<port>`. CORS allows `siteOrigin` only. Throws a `ReleaseError` if the
 * port is unavailable.
 */
export async function serveBuild(
  files: ReadonlyMap<string, Uint8Array>,
  siteOrigin: string,
  wantedPort: number,
): Promise<ServedBuild> {
  const server = createServer((request, response) => answer(files, siteOrigin, request, response));
  const port = await listen(server, wantedPort, '--port');
  return {
    port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(
  files: ReadonlyMap<string, Uint8Array>,
  site: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { host, origin } = request.headers;
  response.setHeaders(new Headers({ ...partFileHeaders, 'Cache-Control': 'no-store', Vary: 'Origin' }));
  if (!isLoopbackHost(host)) {
    return end(response, 421, 'This server answers to localhost only.');
  }
  // Requests without Origin pass: Cross-Origin-Resource-Policy keeps their responses from pages of other sites.
  if (origin !== undefined && origin !== site) {
    return end(
      response,
      403,
      `These files are for ${site} only. Create a link for another site with --site.`,
    );
  }
  if (origin === site) response.setHeader('Access-Control-Allow-Origin', site);
  if (request.method === 'OPTIONS') {
    // Private Network Access: browsers send a preflight before a public page may fetch from localhost.
    if (origin === site) response.setHeader('Access-Control-Allow-Private-Network', 'true');
    response.writeHead(204).end();
    return;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD, OPTIONS');
    return end(response, 405, 'This address can only be read.');
  }
  const [path = ''] = (request.url ?? '').split('?', 1);
  const bytes = files.get(path.slice(1));
  if (!bytes) return end(response, 404, 'The build has no such file.');
  response.setHeader('Content-Type', contentTypeOf(path));
  response.setHeader('Content-Length', bytes.length);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(text);
}
