import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: 'mf-pricing',
  exposes: { './pricing': () => import('./src/pricing.tsx') },
  hydration: { './pricing': 'load' },
} satisfies RemoteDefinition<'mf-pricing'>;
