import type { SectionId } from '@countersign/contracts/shell-api';
import { SectionFallback } from './section-fallback.tsx';

interface SectionText {
  readonly id?: SectionId;
  readonly title: string;
  readonly text: string;
}

/** A section in short: its heading and what it says, in a sentence or two. */
function inShort({ text, ...heading }: SectionText) {
  return function ContentFallback() {
    return (
      <SectionFallback {...heading}>
        <p>{text}</p>
      </SectionFallback>
    );
  };
}

export const contentFallbacks = {
  trustIndicators: inShort({
    title: 'Trusted by 50,000+ organisations',
    text: 'SOC 2, ISO 27001, GDPR and 256-bit SSL.',
  }),
  platforms: inShort({
    title: 'Where it runs',
    text: 'Web application: Available Now. iOS and Android apps: Coming Soon.',
  }),
  features: inShort({
    id: 'features',
    title: 'Features',
    text: 'Digital signatures with audit trails, smart forms, secure sharing, document collections, team collaboration and an API.',
  }),
  workflow: inShort({
    id: 'api',
    title: 'Workflows and API',
    text: 'Templates for your organisation, signing in order, and a RESTful API with webhooks and an SDK.',
  }),
  multiPartySigning: inShort({
    title: 'Signing in order',
    text: 'Upload a document, name who signs and in which order; each signer is notified when it is their turn.',
  }),
  whyChooseUs: inShort({
    title: 'Why Choose Us',
    text: 'Time to revenue: 3 days instead of 15 on average. Monthly cost: $299 instead of $2,400.',
  }),
  testimonials: inShort({
    title: 'What customers say',
    text: 'Their words could not be loaded. Reload the page to read them.',
  }),
} as const;
