import type { Command } from 'commander';
import { checkRelease } from '../check/check-release.ts';
import { builtDirectoryOf } from '../build-parts.ts';
import { nextState } from '../flip/flip-release.ts';
import { publishPart } from '../publish-part.ts';
import type { CommandContext } from './command-context.ts';
import { partFrom } from './part-argument.ts';
import { note, print, type PrintOptions } from './print.ts';

export function addCheckCommand(program: Command, open: () => CommandContext): void {
  program
    .command('check <part> [version]')
    .description('say whether a published version could be promoted now (default: the one in <part>/dist)')
    .option('--json', 'print what was found as JSON')
    .action(async (word: string, named: string | undefined, options: PrintOptions) => {
      const { store, siteAfter, config } = open();
      const part = partFrom(word);
      const version =
        named ?? (await publishPart(store, part, builtDirectoryOf(part), config.releaser)).manifest.version;
      const live = await store.readLive();
      const site = siteAfter(live?.site);
      const change = { action: 'promote', versions: { [part]: version } } as const;
      const { release } = await nextState(store, live, change, site);
      const candidate = { store, next: release, live: live?.release, site };
      const { findings } = await checkRelease(candidate, {
        progress: (rule) => note(`checking ${rule} …`),
      });
      const found = findings.map(({ sentence }) => sentence);
      const count = found.length === 1 ? '1 finding' : `${found.length} findings`;
      const verdict = found.length === 0 ? 'can be promoted' : `cannot be promoted: ${count}`;
      print(options, { part, version, findings }, [...found, `${part} ${version} ${verdict}`]);
      if (found.length > 0) process.exitCode = 1;
    });
}
