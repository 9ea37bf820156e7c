import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { listen } from '../listen.ts';

/** A real HTTP service in the place of the lead service. Disposing of it stops it. */
export interface LittleService extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
}

export async function startLittleService(answer: RequestListener, wanted = 0): Promise<LittleService> {
  const server = createServer(answer);
  const port = await listen(server, wanted, 'PORT');
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
