import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { listen } from '../server/listen.ts';

/** An HTTP server that replaces the lead service. Disposing of it stops it. */
export interface StubService extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
}

export async function startStubService(answer: RequestListener): Promise<StubService> {
  const server = createServer(answer);
  const port = await listen(server, 0, 'PORT');
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
