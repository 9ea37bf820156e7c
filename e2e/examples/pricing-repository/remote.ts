import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: 'mf-pricing',
  exposes: { './pricing': () => import('./src/pricing.tsx') },
  hydration: { './pricing': 'load' },
  // Kilobytes, compressed with Brotli. The pre-deploy check refuses a version that exceeds it.
  budget: { markup: 1, style: 1, script: 4 },
} satisfies RemoteDefinition<'mf-pricing'>;
