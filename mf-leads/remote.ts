import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: 'mf-leads',
  exposes: { './call-to-action': () => import('./src/call-to-action.tsx') },
  hydration: { './call-to-action': 'visible' },
} satisfies RemoteDefinition<'mf-leads'>;
