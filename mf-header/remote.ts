import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: 'mf-header',
  exposes: { './header': () => import('./src/header.tsx') },
  hydration: { './header': 'load' },
} satisfies RemoteDefinition<'mf-header'>;
