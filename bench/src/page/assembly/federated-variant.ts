import { join } from 'node:path';
import { remoteNames, type RemoteDefinition, type RemoteName } from '@countersign/contracts/remotes';
import { projectDirectory } from '../../platform/child-programs.ts';
import { buildPage, buildRemote } from './build-page.ts';
import { filesIn, type Site } from './site-files.ts';
import type { Variant } from './variant.ts';

/** Variant: host and remotes with the settings from federation's documentation. */
export async function federatedVariant(folder: string): Promise<Variant> {
  const host = await buildPage({
    entry: 'federated-entry.ts',
    outputFolder: join(folder, 'default', 'host'),
    remotes: remoteNames,
  });
  const remotes: [RemoteName, Site][] = [];
  for (const remote of remoteNames)
    remotes.push([remote, await remoteFiles(remote, join(folder, 'default'))]);
  const withoutPricing = remotes.filter(([remote]) => remote !== 'mf-pricing');
  return {
    name: 'default',
    site: joined([host, ...remotes.map(([, files]) => files)]),
    deployed: joined([
      host,
      ...withoutPricing.map(([, files]) => files),
      await remoteFiles('mf-pricing', join(folder, 'default', 'after'), /\.js$/),
    ]),
  };
}

async function remoteFiles(remote: RemoteName, folder: string, deployed?: RegExp): Promise<Site> {
  const root = join(projectDirectory, remote);
  const { remote: definition } = (await import(join(root, 'remote.ts'))) as {
    readonly remote: RemoteDefinition;
  };
  const outputFolder = join(folder, remote);
  await buildRemote({ root, remote, exposedKeys: Object.keys(definition.exposes), outputFolder, deployed });
  return filesIn(outputFolder, `/${remote}/`);
}

/** All files of several builds. */
function joined(sites: readonly Site[]): Site {
  return new Map(sites.flatMap((site) => [...site]));
}
