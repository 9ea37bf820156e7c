import { createSiteServer } from '../site-server/site-server.ts';
import { builtRemote, builtShell } from './built-part.ts';
import { openServer, type OpenServer } from './stub-service.ts';
import { createSiteOf, type TemporaryStore } from './temporary-store.ts';

/** A store with a shell and a remote live, served on a free port, by default without a lead service. Disposing of it stops the server. */
export type ServedSite = TemporaryStore & OpenServer & { readonly warnings: readonly string[] };

export async function serveSite(
  leadServiceOrigin = 'http://127.0.0.1:9',
  timeouts: Parameters<typeof createSiteServer>[3] = {},
): Promise<ServedSite> {
  const texts = { 'public/robots.txt': 'User-agent: *', 'public/.well-known/security.txt': 'Contact: a' };
  const site = await createSiteOf(builtShell('1.0.0', texts), builtRemote('mf-pricing', '1.0.0'));
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const server = await openServer(createSiteServer(site.objects, leadServiceOrigin, warn, timeouts));
  return {
    ...site,
    ...server,
    warnings,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}
