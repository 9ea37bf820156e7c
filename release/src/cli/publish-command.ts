import { builtDirectoryOf } from '../publish/build-parts.ts';
import { publishPart } from '../publish/publish-part.ts';
import { parsePart } from './part-argument.ts';
import { printProgressWhenSlow } from './print.ts';
import { publishUsage } from './publish-options.ts';
import type { ReleaseCommand } from './release-command.ts';

export const publishCommand: ReleaseCommand = {
  usage: publishUsage,
  needs: 'publish',
  // The release server gets the build with the call.
  isRemote: ([, folder]) => folder === undefined,
  description: 'store a built part under its version (default folder: dist of the part)',
  async run({ words: [word = '', folder], open }) {
    const part = parsePart(word);
    const { config, store, build, origin } = open();
    const directory = build?.folder ?? folder ?? builtDirectoryOf(part);
    const { manifest, outcome } = await printProgressWhenSlow(
      `compressing and storing the files of ${part}`,
      () => publishPart(store, part, directory, config.releaser, { commit: build?.commit, origin }),
    );
    const { version } = manifest;
    return { json: { part, version, outcome }, lines: `${part} ${version}: ${outcome}` };
  },
};
