import { lazy } from 'react';
import type { PageComponents } from './page-components.ts';

/** Components loaded from remotes, as in federation's documentation. */
export const federatedComponents: PageComponents = {
  Header: lazy(() => import('mf-header/header')),
  main: [
    lazy(() => import('mf-content/hero')),
    lazy(() => import('mf-content/trust-indicators')),
    lazy(() => import('mf-content/platform-availability')),
    lazy(() => import('mf-content/features')),
    lazy(() => import('mf-content/workflow')),
    lazy(() => import('mf-content/multi-party-signing')),
    lazy(() => import('mf-content/why-choose-us')),
    lazy(() => import('mf-pricing/pricing')),
    lazy(() => import('mf-content/testimonials')),
    lazy(() => import('mf-leads/call-to-action')),
  ],
  Footer: lazy(() => import('mf-content/footer')),
};
