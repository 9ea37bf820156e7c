import { pluginModuleFederation } from '@module-federation/rsbuild-plugin';
import { defineConfig } from '@rsbuild/core';
import { pluginReact } from '@rsbuild/plugin-react';
import packageJson from './package.json' with { type: 'json' };

/** The name of the part in the page, with the version, because two versions may be in one page. */
const name = `mf-pricing@${packageJson.version}`;

/** The page provides React. A copy of its own would break hooks. */
const fromThePage = {
  import: false,
  singleton: true,
  requiredVersion: '^19.3.0',
  strictVersion: true,
} as const;

export default defineConfig({
  plugins: [
    pluginReact(),
    pluginModuleFederation({
      name,
      library: { type: 'global', name },
      filename: 'entry.js',
      exposes: { './pricing': './src/pricing.tsx' },
      shared: { react: fromThePage, 'react-dom': fromThePage, 'react/jsx-runtime': fromThePage },
      dts: false,
      // The page provides the federation runtime.
      experiments: {
        externalRuntime: true,
        optimization: { disableSnapshot: true, disableRemote: true, target: 'web' },
      },
    }),
  ],
  output: {
    assetPrefix: 'auto',
  },
  // The loader of lazy chunks states their hashes, because the page runs no script without one.
  security: { sri: { enable: true, algorithm: 'sha384' } },
  splitChunks: false,
  tools: {
    // The hash of a class contains the version, so that two versions in one page have different classes.
    cssLoader: { modules: { localIdentName: '_[hash:base64:6]', localIdentHashSalt: name } },
    htmlPlugin: false,
    rspack: { output: { trustedTypes: { policyName: name } } },
  },
});
