import type { ReleaseConfig } from './config.ts';
import { openSite } from './open-site.ts';
import { ReleaseFault } from './release-fault.ts';
import type { DirectoryStore } from './store/directory-store.ts';
import { ReleaseStore } from './store/release-store.ts';
import { say } from './say.ts';
import { aborted } from './stop-signal.ts';

/**
 * Serves a store as it is until `stopping` is aborted, with `/api` passed on to a lead service that somebody else
 * runs. Throws a {@link ReleaseFault} when nothing is live.
 */
export async function serve(
  objects: DirectoryStore,
  config: ReleaseConfig,
  stopping: AbortSignal,
): Promise<void> {
  if (config.leadsPort === 0) {
    throw new ReleaseFault('LEADS_PORT is 0. Set it to the port on which the lead service listens.');
  }
  const live = await new ReleaseStore(objects).readLive();
  if (!live) throw new ReleaseFault('Nothing is live yet. Publish and promote the shell first.');
  const site = await openSite(objects, `http://127.0.0.1:${config.leadsPort}`, config.port);
  say(`release ${live.release.releaseId} is live`);
  say(`open http://localhost:${site.port} — Ctrl-C stops it`);
  await aborted(stopping);
  await site.close();
  say('stopped');
}
