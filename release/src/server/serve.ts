import { openBoardBesideSite } from '../board/serve-board.ts';
import type { ReleaseConfig } from '../config.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { printLine } from '../platform/print-line.ts';
import { aborted } from '../platform/stop-signal.ts';
import type { DirectoryStore } from '../store/directory-store.ts';
import { ReleaseStore } from '../store/release-store.ts';
import { openSite } from './open-site.ts';

/**
 * Serves a store until `stopping` is aborted, and proxies `/api` to a running lead service. Throws a {@link ReleaseError}
 * if nothing is live.
 */
export async function serve(
  objects: DirectoryStore,
  config: ReleaseConfig,
  stopping: AbortSignal,
): Promise<void> {
  if (config.leadsPort === 0) {
    throw new ReleaseError('LEADS_PORT is 0. Set it to the port on which the lead service listens.');
  }
  const store = new ReleaseStore(objects);
  const live = await store.readLive();
  if (!live) throw new ReleaseError('Nothing is live yet. Publish and promote the shell first.');
  const leadService = `http://127.0.0.1:${config.leadsPort}`;
  const { port, partsOrigins, sendsDeltas } = config;
  const site = await openSite(objects, leadService, port, { partsOrigins, sendsDeltas });
  printLine(`release ${live.release.releaseId} is live`);
  const closeBoard = await openBoardBesideSite(store, config);
  printLine(`open http://localhost:${site.port} — Ctrl-C stops it`);
  await aborted(stopping);
  await Promise.all([site.close(), closeBoard()]);
  printLine('stopped');
}
