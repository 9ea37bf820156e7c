import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Configuration } from 'webpack';
import { baseConfig, hashFunction, type PartBuild } from '../base/base-config.ts';
import { exposedModuleFile } from '../base/exposed-module-file.ts';
import { sharedModules } from '../base/shared-modules.ts';

/** File in the output folder with the modules to render: exposed key → module. */
export const fragmentBundleFile = 'fragments.cjs';

/**
 * Creates the webpack configuration that builds the exposed components for Node. All inputs of the class name
 * hash equal those of the browser build, because otherwise the markup would not match its stylesheet.
 */
export function fragmentConfig(
  build: PartBuild,
  uniqueName: string,
  exposedKeys: readonly string[],
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
      path: outputFolder,
      filename: fragmentBundleFile,
      library: { type: 'commonjs2' },
      hashFunction,
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
