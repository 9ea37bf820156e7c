/**
 * `npm start`: builds what changed, makes it live in the local store, and serves the page with the lead service
 * behind it until it is told to stop.
 */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { partNames } from '@countersign/contracts/remotes';
import { buildParts, builtDirectoryOf } from './build-parts.ts';
import { readConfig, type ReleaseConfig } from './config.ts';
import { pageFiles } from './flip/compose-pages.ts';
import { flipRelease } from './flip/flip-release.ts';
import { startLeadService } from './lead-service-process.ts';
import { listen } from './listen.ts';
import { openSite } from './open-site.ts';
import { publishPart } from './publish-part.ts';
import { ReleaseFault } from './release-fault.ts';
import { openDirectoryStore } from './store/open-store.ts';
import { ReleaseStore } from './store/release-store.ts';
import { runCommand } from './run-command.ts';
import { say } from './say.ts';
import { aborted, stopSignal } from './stop-signal.ts';

const stopping = stopSignal();
const author = { who: 'npm start' };

await runCommand(async () => {
  try {
    await start(readConfig());
  } catch (error) {
    // Told to stop before it was up: that is no failure.
    if (!stopping.aborted) throw error;
  }
});

async function start(config: ReleaseConfig): Promise<void> {
  const objects = openDirectoryStore(config.store);
  assertWritable(config.dataDirectory);
  await assertFree(config.port, 'PORT');
  await assertFree(config.leadsPort, 'LEADS_PORT');

  say('building the parts that changed …');
  await buildParts(stopping);

  const store = new ReleaseStore(objects);
  const versions = Object.fromEntries(
    await Promise.all(
      partNames.map(async (part) => {
        const { manifest, outcome } = await publishPart(store, part, builtDirectoryOf(part), author.who);
        if (outcome === 'stored') say(`published ${part} ${manifest.version}`);
        return [part, manifest.version] as const;
      }),
    ),
  );
  const { releaseId } = await flipRelease(store, { action: 'promote', versions }, () => config.site, author);
  stopping.throwIfAborted();

  const livePage = join(objects.rootDirectory, pageFiles.landing);
  const leads = await startLeadService(config.leadsPort, config.dataDirectory, livePage);
  try {
    const site = await openSite(objects, leads.origin, config.port);
    say(`release ${releaseId} is live`);
    say(`open http://localhost:${site.port} — Ctrl-C stops it`);
    await Promise.race([aborted(stopping), leads.ended]);
    await site.close(leads.stop);
    if (!stopping.aborted) {
      throw new ReleaseFault('The lead service has stopped by itself. Start again; no stored lead is lost.');
    }
  } finally {
    await leads.stop();
    say('stopped');
  }
}

function assertWritable(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
  } catch (cause) {
    throw new ReleaseFault(
      `The data folder ${directory} cannot be written. Give this user access to it, or choose another with DATA_DIR=<folder>.`,
      { cause },
    );
  }
}

/** Says so before the build, not after it. */
async function assertFree(port: number, variable: string): Promise<void> {
  const probe = createServer();
  await listen(probe, port, variable);
  await new Promise((resolve) => probe.close(resolve));
}
