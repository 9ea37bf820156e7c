import { createServer } from 'node:http';
import sirv from 'sirv';
import { listen } from '../listen.ts';

/** A build that is served on this machine, for a page of any origin. */
export interface ServedBuild {
  readonly port: number;
  close(): void;
}

/** Serves a folder on `http://localhost:<port>`. Throws a `ReleaseFault` when the port cannot be had. */
export async function serveBuild(directory: string, wantedPort: number): Promise<ServedBuild> {
  const files = sirv(directory, {
    dev: true,
    setHeaders(response) {
      response.setHeader('Access-Control-Allow-Origin', '*');
      // A page of the internet asks before it fetches from this machine.
      response.setHeader('Access-Control-Allow-Private-Network', 'true');
      response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
      response.setHeader('Cache-Control', 'no-store');
    },
  });
  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS') {
      response.writeHead(204, {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Private-Network': 'true',
      });
      response.end();
      return;
    }
    files(request, response, () => void response.writeHead(404).end());
  });
  const port = await listen(server, wantedPort, '--port');
  return {
    port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
