import { join } from 'node:path';
import { remoteNames, type RemoteDefinition, type RemoteName } from '@countersign/contracts/remotes';
import { exposedModuleFile } from '@countersign/webpack-config/exposed-module-file';
import { ModuleFederationPlugin } from '@module-federation/enhanced/webpack';
import { pageDocument } from './page-document.ts';
import { publicFiles } from './public-files.ts';
import { entryFiles, runWebpack } from './run-webpack.ts';
import { filesIn, siteFile, type Site } from './site-files.ts';
import type { Variant } from './variant.ts';
import { benchDirectory, projectDirectory, variantConfig } from './variant-config.ts';

/** Reads the exposed keys of a remote from its `remote.ts`. */
async function exposedKeys(name: RemoteName): Promise<readonly string[]> {
  const file = join(projectDirectory, name, 'remote.ts');
  const { remote } = (await import(file)) as { readonly remote: RemoteDefinition };
  return Object.keys(remote.exposes);
}

/** As in federation's documentation: both sides share React as a singleton, without further settings. */
const shared = { react: { singleton: true }, 'react-dom': { singleton: true } };

/** Variant: host and remotes with the settings from federation's documentation. */
export async function federatedVariant(folder: string): Promise<Variant> {
  const host = await builtHost(join(folder, 'default', 'host'));
  const remotes = await Promise.all(
    remoteNames.map(async (remote) => [remote, await builtRemote(remote, folder, false)] as const),
  );
  const site = new Map([...host, ...remotes.flatMap(([, files]) => [...files])]);
  const withoutPricing = remotes.filter(([remote]) => remote !== 'mf-pricing');
  const deployed = new Map([
    ...host,
    ...withoutPricing.flatMap(([, files]) => [...files]),
    ...(await builtRemote('mf-pricing', folder, true)),
  ]);
  return { name: 'default', site, deployed };
}

async function builtHost(outputFolder: string): Promise<Site> {
  const name = 'host';
  const config = variantConfig({ root: benchDirectory, name, outputFolder });
  const stats = await runWebpack({
    ...config,
    entry: { [name]: './src/page/variants/federated-entry.ts' },
    plugins: [
      ...(config.plugins ?? []),
      new ModuleFederationPlugin({
        name,
        remotes: Object.fromEntries(
          remoteNames.map((remote) => [remote, `${globalName(remote)}@/${remote}/mf-manifest.json`]),
        ),
        shared,
        dts: false,
      }),
    ],
  });
  const html = pageDocument({
    scripts: entryFiles(stats, name, '.js').map((file) => `/${file}`),
    styles: entryFiles(stats, name, '.css').map((file) => `/${file}`),
  });
  return new Map([
    ...(await publicFiles()),
    ...(await filesIn(outputFolder)),
    ['/', await siteFile('/index.html', Buffer.from(html))] as const,
  ]);
}

async function builtRemote(remote: RemoteName, folder: string, deployed: boolean): Promise<Site> {
  const outputFolder = join(folder, 'default', deployed ? 'after' : 'before', remote);
  const name = globalName(remote);
  const keys = await exposedKeys(remote);
  const root = join(projectDirectory, remote);
  const config = variantConfig({ root, name, outputFolder, deployed });
  await runWebpack({
    ...config,
    entry: {},
    plugins: [
      ...(config.plugins ?? []),
      new ModuleFederationPlugin({
        name,
        filename: 'remoteEntry.js',
        exposes: Object.fromEntries(keys.map((key) => [key, exposedModuleFile(root, key)])),
        shared,
        manifest: true,
        dts: false,
      }),
    ],
  });
  return filesIn(outputFolder, `/${remote}/`);
}

/** Container names must be valid identifiers. */
function globalName(remote: RemoteName): string {
  return remote.replaceAll('-', '_');
}
