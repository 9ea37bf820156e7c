import type { RemoteName } from '@countersign/contracts/remotes';
import type { Command } from 'commander';
import { builtDirectoryOf } from '../publish/build-parts.ts';
import { publishPart } from '../publish/publish-part.ts';
import type { CommandContext } from './command-context.ts';
import { assertOwner } from '../deploy/owners.ts';
import { parsePart, parseRemote } from './part-argument.ts';
import { print, type PrintOptions, printProgressWhenSlow } from './print.ts';

interface PublishOptions extends PrintOptions {
  readonly fromMfManifest?: string | undefined;
}

export function addPublishCommand(program: Command, open: () => CommandContext): void {
  program
    .command('publish <part> [folder]')
    .description('store a built part under its version (default folder: <part>/dist)')
    .option(
      '--from-mf-manifest <settings>',
      'the folder is the output of a stock Rsbuild, Rspack or webpack build with mf-manifest.json; <settings> is a JSON file with the rest',
    )
    .option('--json', 'print the outcome as JSON')
    .action(async (word: string, folder: string | undefined, options: PublishOptions) => {
      const part = parsePart(word);
      const { config, store } = open();
      await assertOwner(config.ownersFile, part, config.releaser);
      const directory = folder ?? builtDirectoryOf(part);
      if (options.fromMfManifest !== undefined) {
        await adaptBuild(parseRemote(word), directory, options.fromMfManifest);
      }
      const { manifest, outcome } = await printProgressWhenSlow(
        `compressing and storing the files of ${part}`,
        () => publishPart(store, part, directory, config.releaser),
      );
      const { version } = manifest;
      print(options, { part, version, outcome }, `${part} ${version}: ${outcome}`);
    });
}

/** Adds what a part needs to the output of a stock bundler. */
async function adaptBuild(part: RemoteName, directory: string, settingsFile: string): Promise<void> {
  // Imported on demand, because most builds are parts already.
  const [{ adaptFederationBuild }, { renderFragments }] = await Promise.all([
    import('../publish/federation/adapt-build.ts'),
    import('../check/render-fragments.ts'),
  ]);
  await printProgressWhenSlow(`rendering the components of ${part}`, () =>
    adaptFederationBuild({ part, directory, settingsFile, renderFragments }),
  );
}
