import type { BrowserLocation } from '@countersign/browser/find-browser';
import { Option } from 'commander';
import { builtDirectoryOf } from '../publish/build-parts.ts';
import { publishPart } from '../publish/publish-part.ts';
import { parsePart, parseRemote } from './part-argument.ts';
import { printProgressWhenSlow } from './print.ts';
import type { ReleaseCommand } from './release-command.ts';

export interface PublishOptions {
  readonly fromMfManifest?: string | undefined;
  readonly renderFragments?: boolean | undefined;
}

export const publishCommand: ReleaseCommand<PublishOptions> = {
  usage: 'publish <part> [folder]',
  needs: 'publish',
  // The release server gets the build with the call.
  isRemote: ([, folder], { fromMfManifest, renderFragments }) =>
    folder === undefined && fromMfManifest === undefined && !renderFragments,
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
    const { config, store, build, origin } = open();
    const directory = build?.folder ?? (await completeBuild(word, folder, options, config.browser));
    const { manifest, outcome } = await printProgressWhenSlow(
      `compressing and storing the files of ${part}`,
      () => publishPart(store, part, directory, config.releaser, { changelog: build?.changelog, origin }),
    );
    const { version } = manifest;
    return { json: { part, version, outcome }, lines: `${part} ${version}: ${outcome}` };
  },
};

/** Resolves to the folder of a build, to which it has added what a build of another bundler lacks. */
export async function completeBuild(
  word: string,
  folder: string | undefined,
  { fromMfManifest: settingsFile, renderFragments: isRendered = false }: PublishOptions,
  browser: BrowserLocation,
): Promise<string> {
  const directory = folder ?? builtDirectoryOf(parsePart(word));
  if (settingsFile === undefined && !isRendered) return directory;
  const part = parseRemote(word);
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
  return directory;
}
