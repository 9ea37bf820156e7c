import { listen } from '../server/listen.ts';
import { createSiteServer } from '../server/site-server.ts';
import { builtRemote, builtShell } from './built-part.ts';
import { sendRequest, type RawResponse, type RequestOptions } from './send-request.ts';
import { createTemporaryStore, type TemporaryStore } from './temporary-store.ts';

/** A store with a shell and a remote live, served on a free port. Disposing of it stops the server. */
export interface ServedSite extends TemporaryStore {
  readonly port: number;
  /** Sends a request to the site. */
  request(path: string, options?: RequestOptions): Promise<RawResponse>;
}

export async function serveSite(leadServiceOrigin = 'http://127.0.0.1:9'): Promise<ServedSite> {
  const site = await createTemporaryStore();
  await site.publish(
    builtShell('1.0.0', {
      'public/robots.txt': 'User-agent: *',
      'public/.well-known/security.txt': 'Contact: a',
    }),
    builtRemote('mf-pricing', '1.0.0'),
  );
  await site.deploy({ shell: '1.0.0', 'mf-pricing': '1.0.0' });
  const server = createSiteServer(site.objects, leadServiceOrigin);
  const port = await listen(server, 0, 'PORT');
  return {
    ...site,
    port,
    request: (path, options) => sendRequest(port, path, options),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await site[Symbol.asyncDispose]();
    },
  };
}
