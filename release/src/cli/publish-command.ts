import type { BrowserLocation } from '@countersign/browser/find-browser';
import type { PartName } from '@countersign/contracts/remotes';
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
  async run({ words: [word = '', folder], options, open }) {
    const part = parsePart(word);
    const { config, store, build, origin } = open();
    const directory = build?.folder ?? folder ?? builtDirectoryOf(part);
    await completeBuild(part, directory, options, config.browser);
    const { manifest, outcome } = await printProgressWhenSlow(
      `compressing and storing the files of ${part}`,
      () => publishPart(store, part, directory, config.releaser, { changelog: build?.changelog, origin }),
    );
    const { version } = manifest;
    return { json: { part, version, outcome }, lines: `${part} ${version}: ${outcome}` };
  },
};

/** Adds to a build what another bundler did not write. */
export async function completeBuild(
  part: PartName,
  directory: string,
  { fromMfManifest, renderFragments }: PublishOptions,
  browser: BrowserLocation,
): Promise<void> {
  if (fromMfManifest === undefined && !renderFragments) return;
  const remote = parseRemote(part);
  // Imported on demand, because most builds are complete.
  if (fromMfManifest !== undefined) {
    const { adaptFederationBuild } = await import('../publish/federation/adapt-build.ts');
    await adaptFederationBuild(remote, directory, fromMfManifest);
  }
  const { createFragmentRenderer } = await import('../check/render-fragments.ts');
  const { addFragments } = await import('../publish/add-fragments.ts');
  await printProgressWhenSlow(`rendering the components of ${part}`, () =>
    addFragments(remote, directory, createFragmentRenderer(browser)),
  );
}
