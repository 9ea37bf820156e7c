import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: 'mf-pricing',
  exposes: { './pricing': () => import('./src/pricing.tsx') },
  hydration: { './pricing': 'visible' },
  // Kilobytes, compressed with Brotli: `release check` refuses a version that is over it.
  budget: { markup: 1, style: 1, script: 8 },
} satisfies RemoteDefinition<'mf-pricing'>;
