import { join } from 'node:path';
import type { RemoteDefinition } from '@countersign/contracts/remotes';
import webpack, { type Configuration } from 'webpack';
import { baseConfig } from '../base-config.ts';
import { exposedModuleFile } from '../exposed-module-file.ts';
import { PartManifestPlugin } from '../part-manifest-plugin.ts';
import { sharedByRemotes, takenFromShell } from '../shared-modules.ts';

/** Version of every development build. */
export const developmentVersion = '0.0.0-development';

/** Folder of a part's development build, relative to the origin. */
export function developmentFolderOf(remote: string): string {
  return `/${remote}/${developmentVersion}/`;
}

/** Creates the webpack configuration of a remote for the development server. */
export function createDevelopmentConfig(root: string, remote: RemoteDefinition): Configuration {
  const globalName = `${remote.name}@${developmentVersion}`;
  const build = { root, version: developmentVersion };
  const base = baseConfig(build, globalName, { isDevelopment: true });
  const keys = Object.keys(remote.exposes);
  const chunkOf = (key: string) => `exposed-${key.replace('./', '')}`;
  return {
    ...base,
    name: remote.name,
    entry: {},
    output: { ...base.output, clean: false },
    // A failed build emits nothing, so that the next one updates the page from the last good one.
    optimization: { splitChunks: false, emitOnErrors: false },
    infrastructureLogging: { level: 'error' },
    plugins: [
      ...(base.plugins ?? []),
      new webpack.container.ModuleFederationPlugin({
        name: globalName,
        filename: 'entry.js',
        library: { type: 'global', name: globalName },
        exposes: Object.fromEntries(
          keys.map((key) => [
            key,
            { import: remountableModule(join(root, exposedModuleFile(key))), name: chunkOf(key) },
          ]),
        ),
        shared: takenFromShell,
      }),
      new PartManifestPlugin({
        name: remote.name,
        version: developmentVersion,
        globalName,
        entryName: globalName,
        exposes: Object.fromEntries(keys.map((key) => [key, chunkOf(key)])),
        hydration: remote.hydration,
        shared: sharedByRemotes,
      }),
    ],
  };
}

/** Generated module that exports the component of a file, and mounts it again if it cannot be refreshed. */
function remountableModule(file: string): string {
  const helpers = join(import.meta.dirname, '..', 'browser', 'remount.ts');
  const code = `
    import Component from ${JSON.stringify(file)};
    import { createRemountable } from ${JSON.stringify(helpers)};
    const { Newest, remount } = createRemountable(() => Component);
    import.meta.webpackHot?.accept(${JSON.stringify(file)}, remount);
    export default Newest;`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
