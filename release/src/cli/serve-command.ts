import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isLoopbackHost } from '@countersign/contracts/program';
import { openBoard } from '../board/board-server.ts';
import { hostInUrl } from '../platform/listen.ts';
import { UsageError } from '../platform/release-error.ts';
import { aborted, runUntilStopped } from '../platform/stop-signal.ts';
import { DirectoryStore } from '../store/directory-store.ts';
import { NothingIsLive } from '../store/live-store.ts';
import { BucketMirror } from '../site-server/bucket-mirror.ts';
import { openSite, printLine } from '../site-server/open-site.ts';
import type { SiteFiles } from '../site-server/site-files.ts';
import type { CommandContext, Run } from './command-context.ts';

/** Between two reads of the store before the first release, in milliseconds. */
const firstReleaseInterval = 1000;

/**
 * Serves a store until a signal, and proxies `/api` to a running lead service. Waits for the first release if nothing is live. Beside a
 * site that other machines reach there is no board, because it names releasers.
 */
export const serve: Run<'serve'> = async (_call, context) => {
  const { config, store } = context;
  if (config.leadsPort === 0) {
    throw new UsageError(
      'LEADS_PORT is 0, which names no running lead service. Set it to the port of the lead service.',
    );
  }
  await runUntilStopped(async (stopping, opened) => {
    const files = await openFilesOfRelease(context, stopping, opened);
    if (!files) return;
    const leadService = `http://127.0.0.1:${config.leadsPort}`;
    const { port, host, ownersFile, boardPort } = config;
    const isLocal = isLoopbackHost(hostInUrl(host));
    if (isLocal) opened.defer(await openBoard({ store, ownersFile, print: printLine }, boardPort));
    const site = await openSite(files, leadService, port, host);
    opened.defer(() => printLine('stopped'));
    opened.use(site);
    printLine(`shows release ${basename(await realpath(files.pathOf('current')))}`);
    printLine(
      isLocal
        ? `open http://localhost:${site.port} — Ctrl-C stops it`
        : `listening on port ${site.port} of ${host}`,
    );
    await aborted(stopping);
  });
  return undefined;
};

/** The files of the live release, as soon as there is one; `undefined` if `stopping` is aborted before. */
async function openFilesOfRelease(
  context: CommandContext,
  stopping: AbortSignal,
  opened: AsyncDisposableStack,
): Promise<SiteFiles | undefined> {
  for (let isFirst = true; !stopping.aborted; isFirst = false) {
    try {
      return await openFiles(context, stopping, opened);
    } catch (error) {
      if (!(error instanceof NothingIsLive)) throw error;
      if (isFirst) printLine(`${error.message} Waiting for it …`);
      await delay(firstReleaseInterval, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
  return undefined;
}

/** The files of a directory store, or a mirror of a bucket, which follows it until `opened` is disposed of. */
async function openFiles(
  { store, config }: CommandContext,
  stopping: AbortSignal,
  opened: AsyncDisposableStack,
): Promise<SiteFiles | undefined> {
  const { store: location, dataFolder } = config;
  if (location.kind === 'directory') {
    const liveState = await store.liveStore.require();
    const files = new DirectoryStore(location.directory);
    // Missing after a first release that was killed after its commit.
    if (!existsSync(files.pathOf('current'))) await store.linkPages(liveState.release);
    return files;
  }
  const name = `${location.endpoint ?? 'aws'} ${location.bucket} ${location.prefix}`;
  const folder = join(dataFolder, 'mirror', hash('sha256', name).slice(0, 16));
  const mirror = new BucketMirror(store, folder, printLine);
  // A first copy of a large release takes long.
  if ((await Promise.race([mirror.start(), aborted(stopping)])) === 'aborted') return undefined;
  // Not ended by `stopping`, because the mirror must follow until the server has closed.
  const following = new AbortController();
  opened.defer(() => following.abort());
  void mirror.follow(following.signal);
  return mirror;
}
