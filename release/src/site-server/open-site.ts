import { closeServer, listen } from '../platform/listen.ts';
import { linePrinter } from '../platform/printable.ts';
import { createSiteServer } from './site-server.ts';
import type { SiteFiles } from './site-files.ts';

export const printLine = linePrinter('site');

/** How long complete responses may take to reach their clients during a shutdown, in milliseconds. */
const drainTimeout = 1000;

/**
 * Serves a store on a port, by default of the loopback interface. Disposing of the site closes it, as `close` does. Throws a
 * `ReleaseError` if the port is unavailable.
 */
export async function openSite(
  files: SiteFiles,
  leadServiceOrigin: string,
  wantedPort: number,
  host?: string,
) {
  const server = createSiteServer(files, leadServiceOrigin, printLine);
  const port = await listen(server, wantedPort, 'PORT', host);
  const close = (finish?: () => Promise<void>) => closeServer(server, drainTimeout, finish);
  return { port, close, [Symbol.asyncDispose]: () => close() };
}
