import type { Command } from 'commander';
import { builtDirectoryOf } from '../publish/build-parts.ts';
import { publishPart } from '../publish/publish-part.ts';
import type { CommandContext } from './command-context.ts';
import { assertOwner } from '../deploy/owners.ts';
import { parsePart } from './part-argument.ts';
import { print, type PrintOptions, printProgressWhenSlow } from './print.ts';

export function addPublishCommand(program: Command, open: () => CommandContext): void {
  program
    .command('publish <part> [folder]')
    .description('store a built part under its version (default folder: <part>/dist)')
    .option('--json', 'print the outcome as JSON')
    .action(async (word: string, folder: string | undefined, options: PrintOptions) => {
      const part = parsePart(word);
      const { config, store } = open();
      await assertOwner(config.ownersFile, part, config.releaser);
      const directory = folder ?? builtDirectoryOf(part);
      const { manifest, outcome } = await printProgressWhenSlow(
        `compressing and storing the files of ${part}`,
        () => publishPart(store, part, directory, config.releaser),
      );
      const { version } = manifest;
      print(options, { part, version, outcome }, `${part} ${version}: ${outcome}`);
    });
}
