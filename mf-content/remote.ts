import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: 'mf-content',
  exposes: {
    './hero': () => import('./src/hero.tsx'),
    './footer': () => import('./src/footer.tsx'),
  },
} satisfies RemoteDefinition<'mf-content'>;
