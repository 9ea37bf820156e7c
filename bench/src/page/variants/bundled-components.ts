import Features from '../../../../mf-content/src/features/features.tsx';
import Footer from '../../../../mf-content/src/footer/footer.tsx';
import Hero from '../../../../mf-content/src/hero/hero.tsx';
import MultiPartySigning from '../../../../mf-content/src/multi-party-signing/multi-party-signing.tsx';
import PlatformAvailability from '../../../../mf-content/src/platform-availability/platform-availability.tsx';
import Testimonials from '../../../../mf-content/src/testimonials/testimonials.tsx';
import TrustIndicators from '../../../../mf-content/src/trust-indicators/trust-indicators.tsx';
import WhyChooseUs from '../../../../mf-content/src/why-choose-us/why-choose-us.tsx';
import Workflow from '../../../../mf-content/src/workflow/workflow.tsx';
import Header from '../../../../mf-header/src/header.tsx';
import CallToAction from '../../../../mf-leads/src/call-to-action.tsx';
import Pricing from '../../../../mf-pricing/src/pricing.tsx';
import type { PageComponents } from './page-components.ts';

/** Components bundled with the page. */
export const bundledComponents: PageComponents = {
  Header,
  main: [
    Hero,
    TrustIndicators,
    PlatformAvailability,
    Features,
    Workflow,
    MultiPartySigning,
    WhyChooseUs,
    Pricing,
    Testimonials,
    CallToAction,
  ],
  Footer,
};
