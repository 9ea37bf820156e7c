import { federation } from '@module-federation/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { partsOrigin, shared } from './parts.js';

export default defineConfig({
  define: { PARTS_ORIGIN: JSON.stringify(partsOrigin) },
  build: { outDir: 'dist/vite', target: 'esnext' },
  plugins: [
    react(),
    federation({
      name: 'intranet',
      remotes: {
        'mf-pricing': { name: 'mf-pricing', type: 'global', entry: `${partsOrigin}/mf-pricing.json` },
      },
      shared,
      dts: false,
    }),
  ],
});
