/** `npm start`: builds changed parts, deploys them to the local store, starts the lead service, and serves the page until it is stopped. */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { readArguments } from '@countersign/contracts/arguments';
import { ignoreOutputErrors } from '@countersign/contracts/program';
import { openBoard } from './board/board-server.ts';
import { readConfig, type ReleaseConfig } from './cli/config.ts';
import { deployRelease } from './deploy/deploy-release.ts';
import { pageFiles } from './store/page-files.ts';
import { listen } from './platform/listen.ts';
import { ReleaseError } from './platform/release-error.ts';
import { runMain } from './cli/run-main.ts';
import { aborted, runUntilStopped } from './platform/stop-signal.ts';
import { buildParts, buildFolderOf, localParts } from './cli/build-parts.ts';
import { publishPart } from './deploy/publish-part.ts';
import { readCommit } from './deploy/read-commit.ts';
import { openSite, printLine } from './site-server/open-site.ts';
import { openDirectoryStore } from './store/open-store.ts';
import { ReleaseStore } from './store/release-store.ts';
import { startLeadService } from './cli/lead-service-process.ts';

readArguments('npm start');
const attribution = { who: 'npm start' };

ignoreOutputErrors();
await runMain(() => runUntilStopped((stopping, opened) => start(readConfig(), stopping, opened)));
// Even if something is still open, because no signal would end the process any more.
process.exit();

async function start(
  config: ReleaseConfig,
  stopping: AbortSignal,
  opened: AsyncDisposableStack,
): Promise<void> {
  const objects = openDirectoryStore(config.store);
  // Before the build, so that an error appears early.
  mkdirSync(config.dataFolder, { recursive: true });
  accessSync(config.dataFolder, constants.W_OK);
  await assertPortFree(config.port, 'PORT');
  await assertPortFree(config.leadsPort, 'LEADS_PORT');
  await assertPortFree(config.boardPort, 'BOARD_PORT');

  printLine('building the parts that changed …');
  await buildParts(stopping);

  const store = new ReleaseStore(objects);
  const versions = Object.fromEntries(
    await Promise.all(
      localParts().map(async (part) => {
        const folder = buildFolderOf(part);
        const commit = await readCommit(folder);
        const { manifest, outcome } = await publishPart(store, part, folder, attribution.who, commit);
        if (outcome === 'stored') printLine(`published ${part} ${manifest.version}`);
        return [part, manifest.version] as const;
      }),
    ),
  );
  const change = { kind: 'promote', versions } as const;
  const { releaseId } = await deployRelease(store, change, config.resolveSiteConfig, attribution);
  stopping.throwIfAborted();

  opened.defer(() => printLine('stopped'));
  const livePage = objects.pathOf(`current/${pageFiles.landing}`);
  const leads = await startLeadService(config, livePage, stopping);
  // Stops the service if the site does not open. An open site is closed first: it accepts no more connections, and stops the service,
  // which answers the requests in flight.
  opened.defer(leads.stop);
  const site = await openSite(objects, leads.origin, config.port);
  opened.defer(() => site.close(leads.stop));
  printLine(`release ${releaseId} is live`);
  const { ownersFile, boardPort } = config;
  opened.defer(await openBoard({ store, ownersFile, print: printLine }, boardPort));
  printLine(`open http://localhost:${site.port} — Ctrl-C stops it`);
  await Promise.race([aborted(stopping), leads.ended]);
  if (!stopping.aborted) {
    throw new ReleaseError('The lead service has stopped unexpectedly. Start again; no stored lead is lost.');
  }
}

async function assertPortFree(port: number, variable: string): Promise<void> {
  const probe = createServer();
  await listen(probe, port, variable);
  await new Promise((resolve) => probe.close(resolve));
}
