import { pluginModuleFederation } from '@module-federation/rsbuild-plugin';
import { defineConfig } from '@rsbuild/core';
import { pluginReact } from '@rsbuild/plugin-react';

/** The same part with the settings of most hosts. Publishing refuses it, and names the settings that this page needs. */
export default defineConfig({
  source: { entry: { index: './src/pricing.tsx' } },
  plugins: [
    pluginReact(),
    pluginModuleFederation({
      name: 'mf_pricing',
      exposes: { './pricing': './src/pricing.tsx' },
      shared: { react: { singleton: true }, 'react-dom': { singleton: true } },
      dts: false,
    }),
  ],
});
