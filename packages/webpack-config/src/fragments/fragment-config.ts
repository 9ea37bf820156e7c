import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { Configuration } from 'webpack';
import { baseConfig, type PartBuild } from '../base/base-config.ts';
import { exposedModuleFile } from '../base/exposed-module-file.ts';
import { sharedModules } from '../base/shared-modules.ts';

/** Build of the exposed components of a remote. */
export interface FragmentBuild extends PartBuild {
  readonly remote: RemoteName;
  readonly uniqueName: string;
  readonly exposedKeys: readonly string[];
}

/** File in the output folder with the modules to render: exposed key → module. */
export const fragmentBundleFile = 'fragments.cjs';

/**
 * Creates the webpack configuration that builds the exposed components for Node. All inputs of the hashes of class names and
 * images equal those of the browser build, because otherwise the markup would not match its stylesheet and its files.
 */
export function fragmentConfig(
  { remote, uniqueName, exposedKeys, ...build }: FragmentBuild,
  outputFolder: string,
): Configuration {
  const base = baseConfig(build, uniqueName, { extractStyles: false });
  const { resolve } = createRequire(join(build.root, 'package.json'));
  return {
    ...base,
    target: 'node',
    devtool: false,
    entry: { fragments: `data:text/javascript,${encodeURIComponent(exportsOf(build.root, exposedKeys))}` },
    output: {
      ...base.output,
      path: outputFolder,
      // Browsers find it by the URL of the script, which has the same path.
      publicPath: `/${remote}/${build.version}/`,
      filename: fragmentBundleFile,
      library: { type: 'commonjs2' },
    },
    externals: Object.fromEntries(
      Object.keys(sharedModules).map((name) => [name, `commonjs ${resolve(name)}`]),
    ),
    optimization: { minimize: false, splitChunks: false },
  };
}

function exportsOf(root: string, exposedKeys: readonly string[]): string {
  return exposedKeys
    .map(
      (key) =>
        `export * as ${JSON.stringify(key)} from ${JSON.stringify(join(root, exposedModuleFile(root, key)))};`,
    )
    .join('\n');
}
