import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openBoardBesideSite } from '../board/serve-board.ts';
import type { ReleaseConfig } from '../config.ts';
import { ReleaseError } from '../platform/release-error.ts';
import { printLine } from '../platform/print-line.ts';
import { aborted } from '../platform/stop-signal.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import { openStore } from '../store/open-store.ts';
import { nothingIsLive, ReleaseStore } from '../store/release-store.ts';
import { BucketMirror } from './bucket-mirror.ts';
import { openSite } from './open-site.ts';
import type { SiteFiles } from './site-files.ts';

/**
 * Serves a store until `stopping` is aborted, and proxies `/api` to a running lead service. Throws a {@link ReleaseError}
 * if nothing is live.
 */
export async function serve(config: ReleaseConfig, stopping: AbortSignal): Promise<void> {
  if (config.leadsPort === 0) {
    throw new ReleaseError('LEADS_PORT is 0. Set it to the port on which the lead service listens.');
  }
  const store = new ReleaseStore(openStore(config.store));
  const files = await openFiles(store, config, stopping);
  const leadService = `http://127.0.0.1:${config.leadsPort}`;
  const { port, partsOrigins, sendsDeltas } = config;
  const site = await openSite(files, leadService, port, { partsOrigins, sendsDeltas });
  printLine(`release ${basename(await realpath(files.rootDirectory))} is live`);
  const closeBoard = await openBoardBesideSite(store, config);
  printLine(`open http://localhost:${site.port} — Ctrl-C stops it`);
  await aborted(stopping);
  await Promise.all([site.close(), closeBoard()]);
  printLine('stopped');
}

/** The files of a directory store, or a mirror of a bucket, which follows it until `stopping` is aborted. */
async function openFiles(
  store: ReleaseStore,
  { store: location, dataDirectory }: ReleaseConfig,
  stopping: AbortSignal,
): Promise<SiteFiles> {
  if (location.kind === 'directory') {
    if (!(await store.readLive())) throw nothingIsLive();
    return new DirectoryStore(location.directory);
  }
  const name = `${location.endpoint ?? 'aws'} ${location.bucket} ${location.prefix}`;
  const folder = join(dataDirectory, 'mirror', createHash('sha256').update(name).digest('hex').slice(0, 16));
  const mirror = new BucketMirror(store, folder);
  await mirror.start(printLine);
  void mirror.follow(stopping, printLine);
  return mirror;
}
