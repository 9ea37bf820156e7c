import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: 'mf-leads',
  exposes: { './call-to-action': () => import('./src/call-to-action.tsx') },
  hydration: { './call-to-action': 'idle' },
  // Kilobytes, compressed with Brotli: `release check` refuses a version that is over it.
  budget: { markup: 1.3, style: 1.5, script: 9 },
} satisfies RemoteDefinition<'mf-leads'>;
