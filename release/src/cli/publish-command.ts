import { builtDirectoryOf } from '../publish/build-parts.ts';
import { publishPart } from '../publish/publish-part.ts';
import { parsePart, parseRemote } from './part-argument.ts';
import { printProgressWhenSlow } from './print.ts';
import { publishOptions, publishUsage, type PublishOptions } from './publish-options.ts';
import type { ReleaseCommand } from './release-command.ts';

export const publishCommand: ReleaseCommand<PublishOptions> = {
  usage: publishUsage,
  needs: 'publish',
  // The release server gets the build with the call.
  isRemote: ([, folder], { fromMfManifest }) => folder === undefined && fromMfManifest === undefined,
  description: 'store a built part under its version (default folder: dist of the part)',
  options: publishOptions,
  async run({ words: [word = '', folder], options: { fromMfManifest, renderFragments }, open }) {
    const part = parsePart(word);
    const { config, store, build, origin } = open();
    const directory = build?.folder ?? folder ?? builtDirectoryOf(part);
    if (fromMfManifest !== undefined) {
      const { adaptFederationBuild } = await import('../publish/federation/adapt-build.ts');
      await adaptFederationBuild(parseRemote(word), directory, fromMfManifest);
    }
    if (fromMfManifest !== undefined || renderFragments) {
      const remote = parseRemote(word);
      // Imported on demand, because most builds are complete.
      const { createFragmentRenderer } = await import('../check/render-fragments.ts');
      const { addFragments } = await import('../publish/add-fragments.ts');
      await printProgressWhenSlow(`rendering the components of ${part}`, () =>
        addFragments(remote, directory, createFragmentRenderer(config.browser)),
      );
    }
    const { manifest, outcome } = await printProgressWhenSlow(
      `compressing and storing the files of ${part}`,
      () => publishPart(store, part, directory, config.releaser, { changelog: build?.changelog, origin }),
    );
    const { version } = manifest;
    return { json: { part, version, outcome }, lines: `${part} ${version}: ${outcome}` };
  },
};
