import {
  choose,
  defineJourneys,
  isChosen,
  leadsTo,
  notSee,
  press,
  scrollsTo,
  see,
  type Journey,
} from '@countersign/contracts/journeys';

const hero = 'region "Signed in order. Kept on record."';
const platforms = 'region "In every browser today, on your phone next"';
const certifications = 'list "Certifications and protection"';
const reasons = 'region "Why Choose Us"';
const request = 'POST /v1/documents HTTP/1.1 Host: api.signing.example Authorization: Bearer YOUR_KEY';
const us = 'With Countersign';
const api = 'article "API-first flow"';
const inOrder = 'article "Multi-party sequential signing"';
const sample = 'figure "A sample document, partway through signing"';
const testimonials = {
  'Eleanor Whitcombe Head of People, regional hospital group': 'whose signature is missing',
  'Henrik Dalgaard Finance Director, building materials wholesaler': 'whose desk it is on',
  'Noor Haddad Lead Engineer, property letting platform': 'built the integration in a week',
} as const;
const footer = { in: 'contentinfo' } as const;

type Place = NonNullable<NonNullable<Parameters<typeof see>[1]>['in']>;

/** In a part of the page, each text is shown. */
const seeIn = (place: Place, ...texts: readonly string[]): Journey['steps'] =>
  texts.map((text) => see(`"${text}"`, { in: place }));

export const journeys = defineJourneys({
  'the first section leads to the application': [
    see('heading "Signed in order. Kept on record."'),
    ...seeIn(hero, 'Document signing and forms', 'Countersign asks each person', 'shows you who is next'),
    leadsTo('link "Start Free Trial"', '{appHost}/login', { in: hero }),
  ],
  'without scripts the first section leads to the application': {
    page: 'plain',
    steps: [leadsTo('link "Start Free Trial"', '{appHost}/login', { in: hero })],
  },
  'Watch Demo shows nothing, and breaks nothing': [
    press('button "Watch Demo"', { in: hero }),
    notSee('dialog'),
    notSee('alert'),
    see('heading "Signed in order. Kept on record."'),
  ],
  'the links of the footer scroll to their sections': [
    scrollsTo('link "Features"', 'features', footer),
    scrollsTo('link "Pricing"', 'pricing', footer),
    scrollsTo('link "API Documentation"', 'api', footer),
    scrollsTo('link "Contact"', 'contact', footer),
  ],
  'each sample of code is shown': {
    at: 'narrow',
    steps: [
      isChosen('radio "Your request"'),
      see('"supply-agreement"', { in: '#api' }),
      choose('radio "Our webhook"', { in: 'group "Code sample"' }),
      see('"signer.signed"', { in: '#api' }),
      notSee('"supply-agreement"', { in: '#api' }),
      choose('radio "Your request"', { in: '#api' }),
      see('"supply-agreement"', { in: '#api' }),
    ],
  },
  'a feature says what it does': [
    see('"every step is recorded as it happens"', { in: '#features' }),
    see('"Smart permissions match each role, and automated notifications"', { in: '#features' }),
    ...seeIn('list "Smart form creation"', 'Drag and drop builder', 'Conditional fields'),
    ...seeIn('list "Centralised secure vault"', 'Access controls', 'Tracking'),
    ...seeIn('list "Secure sharing"', 'Password protection', 'Expiration dates', 'View tracking'),
    ...seeIn('list "An API for your own software"', 'RESTful', 'Webhooks', 'SDK', 'Direct API tier'),
    ...seeIn('list "Team collaboration"', 'Role-based access', 'Real-time updates', 'Comments'),
    see('heading "Enterprise security"', { in: '#features' }),
  ],
  'the figures are those of the company': {
    often: false,
    steps: [
      ...seeIn(hero, '30-day free trial', 'No credit card required', 'Setup in minutes', 'Signing order'),
      ...seeIn(hero, '1 of 3', 'In Progress', 'Pending', 'Waiting'),
      see('heading "Trusted by 50,000+ organisations"'),
      ...seeIn(certifications, 'SOC 2', 'Audited security controls', 'ISO 27001', 'GDPR', '256-bit SSL'),
      ...seeIn(certifications, 'Information security', 'Personal data protected', 'connection encrypted'),
      see('"156 hours saved per month"', { in: 'list "Results"' }),
      ...seeIn('list "Results"', '3 days to revenue, instead of 15 on average', '94% less paper'),
      ...seeIn(reasons, 'Carbon footprint -89%', '2,847 trees saved annually', '12.3 tons CO2 prevented'),
      ...seeIn(reasons, '94% less paper', 'What stays in the forest', 'On paper100%', `${us}11%`, `${us}6%`),
      ...seeIn(reasons, '156 hours saved per month', 'nineteen and a half working days'),
    ],
  },
  'the comparison with email and paper has names and figures': {
    often: false,
    steps: [
      // Each figure beside its name.
      ...seeIn(reasons, 'Time to revenue80% faster', 'Without Countersign15 days average', `${us}3 days`),
      ...seeIn(reasons, 'Monthly costSavings $2,101', 'Traditional$2,400', `${us}$299`),
      ...seeIn(reasons, 'Convenience score6.2 points ahead', 'Email3.2/10', 'Countersign9.4/10'),
      ...seeIn(reasons, 'twelve days sooner', 'as soon as the last person has signed'),
    ],
  },
  'each section says what it is about': {
    often: false,
    steps: [
      // Each beside its state.
      ...seeIn(platforms, 'Web applicationAvailable Now', 'iOS appComing Soon', 'Android appComing Soon'),
      see('"covers the whole life"', { in: 'region "From an empty form to a record that holds"' }),
      see('"the same."', { in: 'region "Three ways to a finished document"' }),
      ...seeIn('#features', 'Smart form creation', 'Digital signatures with audit trails', 'Secure sharing'),
      ...seeIn('#features', 'Document collections', 'Team collaboration', 'Unlimited signers', 'SDK'),
      ...seeIn('#features', 'Centralised secure vault', 'One-click sharing', 'Data-driven productivity'),
      ...seeIn('article "Template workflow"', '1Create templates', '2Send to employees', 'Start date'),
      ...seeIn('article "Template workflow"', '3Review and approve', 'For organisations', 'again and again'),
      ...seeIn(api, 'our cloud storage, or in your own', '3Receive webhook updates', 'For developers'),
      ...seeIn(api, '1Create a document', '2Choose the storage'),
      // The lines below each other.
      ...seeIn(api, `Your request${request} {`, 'sequential'),
      notSee('radio "Our webhook"'),
      ...seeIn('figure "Our webhook"', 'erp.customer.example', ': 2'),
      ...seeIn(inOrder, '1Upload', '2Add signers', '3Notify', '4Sign in order', '5Complete', 'parties'),
    ],
  },
  'the sample and the testimonials are shown, and the small print': {
    often: false,
    steps: [
      ...seeIn(sample, 'In Progress', '1 of 3 signed'),
      // Name, role, latest event and state beside each other.
      ...seeIn('list "Signing order"', 'Amara OseiSupplierSigned Tuesday, 10:47Signed'),
      ...seeIn('list "Signing order"', 'Jonas BergBuyerLink sent Tuesday, 10:47Pending'),
      ...seeIn('list "Signing order"', 'Priya RamanLegalNotified after Jonas BergWaiting'),
      ...seeIn(sample, 'Supply agreement.pdf', 'Every step is in the audit trail'),
      see('"the next person is notified"', { in: 'region "Several signatures, one after another"' }),
      see('"waits for the post"', { in: 'region "From the people who send the documents"' }),
      ...Object.entries(testimonials).flatMap(([person, quote]): Journey['steps'] => [
        see('img "Rated 5 out of 5"', { in: `figure "${person}"` }),
        see(`"${quote}"`, { in: `figure "${person}"` }),
      ]),
      ...seeIn('list "Product"', 'Integrations (not available yet)'),
      see('link "About (not available yet)"', { in: 'list "Company"' }),
      ...seeIn('list "Support"', 'Help Center'),
      see('"ProductFeaturesPricingAPI DocumentationIntegrations"', footer),
      see('"About (not available yet)Blog (not available yet)Careers (not available yet)Contact"', footer),
      see('"Help Center (not available yet)Security (not available yet)Privacy Policy"', footer),
      see('"Privacy Policy (not available yet)Terms of Service"', footer),
      ...seeIn('contentinfo', '© 2024 Countersign. All rights reserved.', 'CountersignDocuments, forms'),
      see('navigation "Footer"', footer),
    ],
  },
  'a translated page stays usable': {
    page: 'translated',
    steps: [
      scrollsTo('link "API Documentation"', 'api', footer),
      press('button "Watch Demo"', { in: hero }),
      see('heading "Signed in order. Kept on record."'),
    ],
  },
});
