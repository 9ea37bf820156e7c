import type { BrowserLocation } from '@countersign/browser/find-browser';
import type { RemoteName } from '@countersign/contracts/remotes';
import { Option } from 'commander';
import { builtDirectoryOf } from '../publish/build-parts.ts';
import { publishPart } from '../publish/publish-part.ts';
import { assertOwner } from '../access/owners.ts';
import { parsePart, parseRemote } from './part-argument.ts';
import { printProgressWhenSlow } from './print.ts';
import type { ReleaseCommand } from './release-command.ts';

interface PublishOptions {
  readonly fromMfManifest?: string | undefined;
  readonly renderFragments?: boolean | undefined;
}

export const publishCommand: ReleaseCommand<PublishOptions> = {
  usage: 'publish <part> [folder]',
  description: 'store a built part under its version (default folder: <part>/dist)',
  options: [
    new Option(
      '--from-mf-manifest <settings>',
      'the folder is the output of a stock Rsbuild, Rspack or webpack build with mf-manifest.json; <settings> is a JSON file with the rest',
    ),
    new Option(
      '--render-fragments',
      'render the components that have no fragment, in the browser of the check',
    ),
  ],
  async run({ words: [word = '', folder], options, open }) {
    const part = parsePart(word);
    const { config, store } = open();
    await assertOwner(config.ownersFile, part, config.releaser);
    const directory = folder ?? builtDirectoryOf(part);
    if (options.fromMfManifest !== undefined || options.renderFragments) {
      await completeBuild(parseRemote(word), directory, options, config.browser);
    }
    const { manifest, outcome } = await printProgressWhenSlow(
      `compressing and storing the files of ${part}`,
      () => publishPart(store, part, directory, config.releaser),
    );
    const { version } = manifest;
    return { json: { part, version, outcome }, lines: `${part} ${version}: ${outcome}` };
  },
};

/** Adds what a build of another bundler lacks to its folder. */
async function completeBuild(
  part: RemoteName,
  directory: string,
  { fromMfManifest: settingsFile }: PublishOptions,
  browser: BrowserLocation,
): Promise<void> {
  // Imported on demand, because most builds are complete.
  const { createFragmentRenderer } = await import('../check/render-fragments.ts');
  const { addFragments } = await import('../publish/add-fragments.ts');
  const { adaptFederationBuild } = await import('../publish/federation/adapt-build.ts');
  const renderFragments = createFragmentRenderer(browser);
  await printProgressWhenSlow(`rendering the components of ${part}`, () =>
    settingsFile === undefined
      ? addFragments(part, directory, renderFragments)
      : adaptFederationBuild({ part, directory, settingsFile, renderFragments }),
  );
}
