import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: 'mf-pricing',
  exposes: { './pricing': () => import('./src/pricing.tsx') },
  hydration: { './pricing': 'load' },
  // Kilobytes, compressed with Brotli: `release check` refuses a version that is over it.
  budget: { markup: 1.8, style: 2.5, script: 7 },
} satisfies RemoteDefinition<'mf-pricing'>;
