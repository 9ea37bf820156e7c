import { join } from 'node:path';
import { remoteNames } from '@countersign/contracts/remotes';
import { buildPage, buildRemote } from './build-page.ts';
import type { Site, Variant } from './site-files.ts';

/** Variant: host and remotes with the settings from federation's documentation. */
export async function federatedVariant(parent: string): Promise<Variant> {
  const folder = join(parent, 'default');
  const builds = new Map<string, Site>([
    ['host', await buildPage({ kind: 'default', outputFolder: join(folder, 'host') })],
  ]);
  for (const remote of remoteNames) builds.set(remote, await buildRemote(remote, folder));
  const changedPricing = await buildRemote('mf-pricing', join(folder, 'after'), /\.js$/);
  return {
    name: 'default',
    site: joined(builds),
    deployed: joined(new Map([...builds, ['mf-pricing', changedPricing]])),
  };
}

/** All files of several builds. */
function joined(builds: ReadonlyMap<string, Site>): Site {
  return new Map([...builds.values()].flatMap((site) => [...site]));
}
