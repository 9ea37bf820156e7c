import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { contentTypeOf } from '../content-types.ts';
import { listen } from '../listen.ts';
import { partFileHeaders } from '../security/security-headers.ts';

/** A build that is served on this machine, to the page of one site. */
export interface ServedBuild {
  readonly port: number;
  close(): void;
}

/** A page of another site can point a name of its own at this machine (DNS rebinding), but its requests carry that name. */
const ownHosts = ['localhost', '127.0.0.1'];

/**
 * Serves the files of a build on `http://localhost:<port>`. Only the page at the given origin may read them; pages of
 * other origins are refused. Throws a `ReleaseFault` when the port cannot be had.
 */
export async function serveBuild(
  files: ReadonlyMap<string, Uint8Array>,
  site: string,
  wantedPort: number,
): Promise<ServedBuild> {
  const server = createServer((request, response) => answer(files, site, request, response));
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
  if (!ownHosts.includes(URL.parse(`http://${host}`)?.hostname ?? '')) {
    return end(response, 421, `This server answers to ${ownHosts.join(' and ')} only.`);
  }
  // A request without an origin is no page's, or one whose answer the resource policy keeps from other sites.
  if (origin !== undefined && origin !== site) {
    return end(response, 403, `These files are for ${site} only. Make a link for another site with --site.`);
  }
  if (origin === site) response.setHeader('Access-Control-Allow-Origin', site);
  if (request.method === 'OPTIONS') {
    // A page of the internet asks before it fetches from this machine.
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
