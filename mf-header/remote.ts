import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: 'mf-header',
  exposes: { './header': () => import('./src/header.tsx') },
  hydration: { './header': 'load' },
  // Kilobytes, compressed with Brotli: `release check` refuses a version that is over it.
  budget: { markup: 0.8, style: 1.5, script: 8 },
} satisfies RemoteDefinition<'mf-header'>;
