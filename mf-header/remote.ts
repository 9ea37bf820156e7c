import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: 'mf-header',
  exposes: { './header': () => import('./src/header.tsx') },
  hydration: { './header': 'load' },
  // Kilobytes, compressed with Brotli: `release check` refuses a version that is over it.
  budget: { markup: 0.9, style: 2, script: 42 },
} satisfies RemoteDefinition<'mf-header'>;
