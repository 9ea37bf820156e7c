/** The release command: `npm run release -- help`. */
import { partNames, type PartName } from '@countersign/contracts/remotes';
import { builtDirectoryOf } from './build-parts.ts';
import { readConfig } from './config.ts';
import { flipRelease } from './flip-release.ts';
import { publishPart } from './publish-part.ts';
import { ReleaseFault } from './release-fault.ts';
import { ReleaseStore } from './release-store.ts';
import { runCommand } from './run-command.ts';
import { serve } from './serve.ts';
import { stopSignal } from './stop-signal.ts';

const help = `Usage: npm run release -- <command>

  publish <part> [folder]    store a built part under its version (default folder: <part>/dist)
  promote <part> <version>   make a published version live
  status                     what is live
  serve                      serve what is live, without a build, until it is told to stop

Parts: ${partNames.join(', ')}
DATA_DIR chooses the store (default .data). "serve" listens on PORT (default 3000) and passes /api on to the lead
service on LEADS_PORT (default 3001).`;

await runCommand(async () => {
  const [command, ...words] = process.argv.slice(2);
  if (command === undefined || command === 'help' || command === '--help') {
    console.log(help);
    return;
  }
  const config = readConfig();
  const store = new ReleaseStore(config.storeDirectory);

  switch (command) {
    case 'publish': {
      const part = partFrom(words[0]);
      const { manifest, outcome } = await publishPart(store, part, words[1] ?? builtDirectoryOf(part));
      console.log(`${part} ${manifest.version}: ${outcome}`);
      return;
    }
    case 'promote': {
      const part = partFrom(words[0]);
      const version = words[1];
      if (!version) throw new ReleaseFault('Say which version: promote <part> <version>.');
      const { releaseId } = await flipRelease(store, { [part]: version }, config.site);
      console.log(`${part} ${version} is live in release ${releaseId}`);
      return;
    }
    case 'status': {
      const live = await store.readLive();
      if (!live)
        throw new ReleaseFault('Nothing is live yet. Run npm start, or publish and promote every part.');
      console.log(`release ${live.releaseId}\nshell ${live.shell.version}`);
      for (const [name, remote] of Object.entries(live.remotes)) {
        const previous = remote.previous ? ` (before: ${remote.previous.version})` : '';
        console.log(`${name} ${remote.live.version}${previous}`);
      }
      return;
    }
    case 'serve':
      await serve(store, config, stopSignal());
      return;
    default:
      throw new ReleaseFault(`There is no command "${command}".\n\n${help}`);
  }
});

function partFrom(word: string | undefined): PartName {
  const part = partNames.find((name) => name === word);
  if (!part) throw new ReleaseFault(`Say which part: ${partNames.join(', ')}.`);
  return part;
}
