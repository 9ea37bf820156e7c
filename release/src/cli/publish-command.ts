import { builtDirectoryOf } from './build-parts.ts';
import { publishPart } from '../deploy/publish-part.ts';
import type { Run } from './command-context.ts';
import { printProgressWhenSlow } from './print.ts';

export const publish: Run<'publish'> = async ({ part, folder }, { config, store, build }) => {
  const directory = build?.folder ?? folder ?? builtDirectoryOf(part);
  const { manifest, outcome } = await printProgressWhenSlow(
    `compressing and storing the files of ${part}`,
    () => publishPart(store, part, directory, config.releaser, build?.commit),
  );
  const { version } = manifest;
  return { json: { part, version, outcome }, lines: `${part} ${version}: ${outcome}` };
};
