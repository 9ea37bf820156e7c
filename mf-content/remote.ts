import type { RemoteDefinition } from '@countersign/contracts/remotes';

export const remote = {
  name: 'mf-content',
  exposes: {
    './hero': () => import('./src/hero/hero.tsx'),
    './trust-indicators': () => import('./src/trust-indicators/trust-indicators.tsx'),
    './platform-availability': () => import('./src/platform-availability/platform-availability.tsx'),
    './features': () => import('./src/features/features.tsx'),
    './workflow': () => import('./src/workflow/workflow.tsx'),
    './multi-party-signing': () => import('./src/multi-party-signing/multi-party-signing.tsx'),
    './why-choose-us': () => import('./src/why-choose-us/why-choose-us.tsx'),
    './testimonials': () => import('./src/testimonials/testimonials.tsx'),
    './footer': () => import('./src/footer/footer.tsx'),
  },
  // Content to read: it works as plain markup, so the code can wait for an interaction.
  hydration: {
    './hero': 'interaction',
    './trust-indicators': 'interaction',
    './platform-availability': 'interaction',
    './features': 'interaction',
    './workflow': 'interaction',
    './multi-party-signing': 'interaction',
    './why-choose-us': 'interaction',
    './testimonials': 'interaction',
    './footer': 'interaction',
  },
  // Kilobytes, compressed with Brotli: `release check` refuses a version that is over it.
  budget: { markup: 15, style: 7.2, script: 17 },
} satisfies RemoteDefinition<'mf-content'>;
