import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from './listen.ts';
import type { DirectoryStore } from './store/directory-store.ts';
import { createSiteServer } from './site-server.ts';

/** How long an answer that is complete may take to reach its receiver, in milliseconds. */
const deliveryTime = 1000;

/** A store that is being served. */
export interface OpenSite {
  readonly port: number;
  /**
   * Takes no new visitor, runs `finish`, which may wait for what answers the requests in flight, and hangs up once
   * their answers are on the way.
   */
  close(finish?: () => Promise<void>): Promise<void>;
}

/** Serves a store on a port. Throws a {@link ReleaseFault} when the port cannot be had. */
export async function openSite(
  store: DirectoryStore,
  leadServiceOrigin: string,
  wantedPort: number,
): Promise<OpenSite> {
  const server = createSiteServer(store, leadServiceOrigin);
  const unanswered = new Set<ServerResponse>();
  server.on('request', (_request, response: ServerResponse) => {
    unanswered.add(response);
    response.once('close', () => unanswered.delete(response));
  });
  const port = await listen(server, wantedPort, 'PORT');
  return {
    port,
    async close(finish) {
      server.close();
      server.closeIdleConnections();
      await finish?.();
      const answers = [...unanswered].map(
        (response) => new Promise((resolve) => response.once('close', resolve)),
      );
      await Promise.race([Promise.all(answers), delay(deliveryTime, undefined, { ref: false })]);
      server.closeAllConnections();
    },
  };
}
