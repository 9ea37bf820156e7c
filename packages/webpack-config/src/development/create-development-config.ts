import type { RemoteDefinition } from '@countersign/contracts/remotes';
import type { Configuration } from 'webpack';
import { baseConfig } from '../base/base-config.ts';
import { exposedModuleFile } from '../base/exposed-module-file.ts';
import { remoteFederation } from '../base/remote-federation.ts';

/** Version of every development build. */
export const developmentVersion = '0.0.0-development';

/** Folder of a part's development build, relative to the origin. */
export function developmentFolderOf(remote: string): string {
  return `/${remote}/${developmentVersion}/`;
}

/** Name of a remote's development build, also of its global variable. */
export function developmentGlobal(remote: string): string {
  return `${remote}@${developmentVersion}`;
}

/** Entry of a development build. */
export const developmentEntry = 'entry.js';

/** Chunk with the script, and perhaps the styles, of an exposed key. */
export function developmentChunk(exposed: string): string {
  return `exposed-${exposed.replace('./', '')}`;
}

/** Creates the webpack configuration of a remote for the development server. */
export function createDevelopmentConfig(root: string, remote: RemoteDefinition): Configuration {
  const globalName = developmentGlobal(remote.name);
  const base = baseConfig({ root, version: developmentVersion }, globalName, { isDevelopment: true });
  return {
    ...base,
    name: remote.name,
    infrastructureLogging: { level: 'error' },
    entry: {},
    // Files of earlier builds stay, because open pages may still request them.
    output: { ...base.output, clean: false, publicPath: developmentFolderOf(remote.name) },
    // A failed build emits nothing, so that the next one updates the page from the last good one.
    optimization: { splitChunks: false, emitOnErrors: false },
    plugins: [
      ...(base.plugins ?? []),
      ...remoteFederation({
        name: globalName,
        filename: developmentEntry,
        exposes: Object.fromEntries(
          Object.keys(remote.exposes).map((key) => [
            key,
            { import: exposedModuleFile(root, key), name: developmentChunk(key) },
          ]),
        ),
      }),
    ],
  };
}
