/**
 * `npm start`: builds what changed, makes it live in the local store, and serves the page with the lead service
 * behind it until it is told to stop.
 */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { partNames } from '@countersign/contracts/remotes';
import { buildParts, builtDirectoryOf } from './build-parts.ts';
import { readConfig, type ReleaseConfig } from './config.ts';
import { flipRelease } from './flip-release.ts';
import { startLeadService } from './lead-service-process.ts';
import { listen } from './listen.ts';
import { publishPart } from './publish-part.ts';
import { ReleaseFault } from './release-fault.ts';
import { ReleaseStore } from './release-store.ts';
import { runCommand } from './run-command.ts';
import { createSiteServer } from './site-server.ts';

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort());

await runCommand(async () => {
  try {
    await start(readConfig());
  } catch (error) {
    // Told to stop before it was up: that is no failure.
    if (!stopping.signal.aborted) throw error;
  }
});

async function start(config: ReleaseConfig): Promise<void> {
  assertWritable(config.dataDirectory);
  await assertFree(config.port, 'PORT');
  await assertFree(config.leadsPort, 'LEADS_PORT');

  say('building the parts that changed …');
  await buildParts(stopping.signal);

  const store = new ReleaseStore(config.storeDirectory);
  const flip = Object.fromEntries(
    await Promise.all(
      partNames.map(async (part) => {
        const { manifest, outcome } = await publishPart(store, part, builtDirectoryOf(part));
        if (outcome === 'stored') say(`published ${part} ${manifest.version}`);
        return [part, manifest.version] as const;
      }),
    ),
  );
  const { releaseId } = await flipRelease(store, flip, config.site);
  stopping.signal.throwIfAborted();

  const leads = await startLeadService(config.leadsPort, config.dataDirectory, say);
  try {
    const server = createSiteServer(store, leads.origin);
    const port = await listen(server, config.port, 'PORT');
    say(`release ${releaseId} is live`);
    say(`open http://localhost:${port} — Ctrl-C stops it`);
    const told = new Promise<'told'>((resolve) => {
      if (stopping.signal.aborted) resolve('told');
      stopping.signal.addEventListener('abort', () => resolve('told'));
    });
    const reason = await Promise.race([told, leads.ended]);
    server.close();
    server.closeAllConnections();
    if (reason !== 'told' && !stopping.signal.aborted) {
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

function say(line: string): void {
  console.log(line.includes(': ') ? line : `site: ${line}`);
}
