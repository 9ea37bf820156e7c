import { pluginModuleFederation } from '@module-federation/rsbuild-plugin';
import { defineConfig } from '@rsbuild/core';
import { pluginReact } from '@rsbuild/plugin-react';
import { partsOrigin, shared } from './parts.js';

export default defineConfig({
  source: {
    entry: { index: './src/index.ts' },
    define: { PARTS_ORIGIN: JSON.stringify(partsOrigin) },
  },
  html: { title: 'Intranet' },
  output: { distPath: { root: 'dist/rsbuild' } },
  plugins: [
    pluginReact(),
    pluginModuleFederation({
      name: 'intranet',
      remotes: { 'mf-pricing': `mf-pricing@${partsOrigin}/mf-pricing.json` },
      shared,
      dts: false,
    }),
  ],
});
