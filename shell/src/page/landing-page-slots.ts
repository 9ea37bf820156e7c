import type { SlotDefinition } from '../slot/slot-definition.ts';
import { contentFallbacks } from './fallbacks/content-fallbacks.tsx';
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
    { remote: 'mf-content', exposed: './trust-indicators', Fallback: contentFallbacks.trustIndicators },
    { remote: 'mf-content', exposed: './platform-availability', Fallback: contentFallbacks.platforms },
    { remote: 'mf-content', exposed: './features', Fallback: contentFallbacks.features },
    { remote: 'mf-content', exposed: './workflow', Fallback: contentFallbacks.workflow },
    { remote: 'mf-content', exposed: './multi-party-signing', Fallback: contentFallbacks.multiPartySigning },
    { remote: 'mf-content', exposed: './why-choose-us', Fallback: contentFallbacks.whyChooseUs },
    { remote: 'mf-pricing', exposed: './pricing', Fallback: PricingFallback },
    { remote: 'mf-content', exposed: './testimonials', Fallback: contentFallbacks.testimonials },
    { remote: 'mf-leads', exposed: './call-to-action', Fallback: LeadsFallback },
  ],
  footer: [{ remote: 'mf-content', exposed: './footer', Fallback: FooterFallback }],
} as const satisfies Record<string, readonly SlotDefinition[]>;
