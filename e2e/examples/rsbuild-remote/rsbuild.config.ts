import { pluginModuleFederation } from '@module-federation/rsbuild-plugin';
import { defineConfig } from '@rsbuild/core';
import { pluginReact } from '@rsbuild/plugin-react';
import { federationOptions } from './federation-options.ts';
import packageJson from './package.json' with { type: 'json' };

const name = `mf-pricing@${packageJson.version}`;

export default defineConfig({
  plugins: [pluginReact(), pluginModuleFederation(federationOptions(name))],
  output: { assetPrefix: 'auto' },
  // The loader of lazy chunks states their hashes, because the page runs no script without one.
  security: { sri: { enable: true, algorithm: 'sha256' } },
  splitChunks: false,
  tools: {
    // The hash of a class contains the version, so that two versions in one page have different classes.
    cssLoader: { modules: { localIdentName: '_[hash:base64:6]', localIdentHashSalt: name } },
    htmlPlugin: false,
    rspack: { output: { trustedTypes: { policyName: name } } },
  },
});
