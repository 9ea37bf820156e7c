import type { SlotDefinition } from '../slot/slot-definition.ts';
import { FooterFallback } from './fallbacks/footer-fallback.tsx';
import { HeaderFallback } from './fallbacks/header-fallback.tsx';
import { HeroFallback } from './fallbacks/hero-fallback.tsx';
import { LeadsFallback } from './fallbacks/leads-fallback.tsx';
import { PricingFallback } from './fallbacks/pricing-fallback.tsx';

/** The landing page, from top to bottom. Reading it tells which team owns which block. */
export const landingPageSlots = {
  header: [{ remote: 'mf-header', exposed: './header', Fallback: HeaderFallback }],
  main: [
    { remote: 'mf-content', exposed: './hero', Fallback: HeroFallback },
    { remote: 'mf-pricing', exposed: './pricing', Fallback: PricingFallback },
    { remote: 'mf-leads', exposed: './call-to-action', Fallback: LeadsFallback },
  ],
  footer: [{ remote: 'mf-content', exposed: './footer', Fallback: FooterFallback }],
} as const satisfies Record<string, readonly SlotDefinition[]>;
