import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: 'mf-leads',
  exposes: { './call-to-action': () => import('./src/call-to-action.tsx') },
} satisfies RemoteDefinition<'mf-leads'>;
