import {
  choose,
  defineJourneys,
  leadsTo,
  notSee,
  press,
  scrollsTo,
  see,
  type Journey,
} from '@countersign/contracts/journeys';

const hero = 'region "Signed in order. Kept on record."';
const footer = { in: 'contentinfo' } as const;

type Place = NonNullable<NonNullable<Parameters<typeof see>[1]>['in']>;

/** In a part of the page, each text is shown. */
const seeIn = (place: Place, ...texts: readonly string[]): Journey['steps'] =>
  texts.map((text) => see(`"${text}"`, { in: place }));

export const journeys = defineJourneys({
  'the first section leads to the application': [
    see('heading "Signed in order. Kept on record."'),
    leadsTo('link "Start Free Trial"', '{appHost}/login', { in: hero }),
  ],
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
      see('"supply-agreement"', { in: '#api' }),
      choose('radio "Our webhook"', { in: '#api' }),
      see('"signer.signed"', { in: '#api' }),
      notSee('"supply-agreement"', { in: '#api' }),
      choose('radio "Your request"', { in: '#api' }),
      see('"supply-agreement"', { in: '#api' }),
    ],
  },
  'a feature says what it does': [see('"every step is recorded as it happens"', { in: '#features' })],
  'the figures are those of the company': {
    often: false,
    steps: [
      ...seeIn(hero, '30-day free trial', 'No credit card required', 'Setup in minutes'),
      see('heading "Trusted by 50,000+ organisations"'),
      ...seeIn('list "Certifications and protection"', 'SOC 2', 'ISO 27001', 'GDPR', '256-bit SSL'),
      ...seeIn('list "Results"', '3 days to revenue, instead of 15', '156 hours', '94% less paper'),
      ...seeIn('region "Why Choose Us"', '80% faster', '15 days average', 'Savings $2,101', '$2,400', '$299'),
      ...seeIn('region "Why Choose Us"', '6.2 points ahead', '3.2/10', '9.4/10', '156 hours saved per month'),
      ...seeIn(
        'region "Why Choose Us"',
        'Carbon footprint -89%',
        '94% less paper',
        '2,847 trees',
        '12.3 tons',
      ),
    ],
  },
  'each section says what it is about': {
    often: false,
    steps: [
      ...seeIn('region "In every browser today, on your phone next"', 'Available Now', 'Coming Soon'),
      ...seeIn('#features', 'Smart form creation', 'Digital signatures with audit trails', 'Secure sharing'),
      ...seeIn('#features', 'Document collections', 'Team collaboration', 'Unlimited signers', 'SDK'),
      ...seeIn('#features', 'Centralised secure vault', 'One-click sharing', 'Data-driven productivity'),
      ...seeIn('article "Template workflow"', 'Create templates', 'Send to employees', 'Review and approve'),
      ...seeIn('article "API-first flow"', 'our cloud storage, or in your own', 'Receive webhook updates'),
      see('figure "Your request"'),
      see('figure "Our webhook"'),
      ...seeIn('article "Multi-party sequential signing"', 'Upload', 'Add signers', 'Sign in order'),
    ],
  },
  'the sample and the testimonials are shown, and the small print': {
    often: false,
    steps: [
      see('"In Progress"', { in: 'figure "A sample document, partway through signing"' }),
      see('"1 of 3 signed"', { in: 'figure "A sample document, partway through signing"' }),
      ...seeIn(
        'list "Signing order"',
        'Amara Osei',
        'Signed',
        'Jonas Berg',
        'Pending',
        'Priya Raman',
        'Waiting',
      ),
      ...['Eleanor Whitcombe', 'Henrik Dalgaard', 'Noor Haddad'].map((name) => see(`"${name}"`)),
      see('img "Rated 5 out of 5"'),
      ...seeIn('list "Product"', 'Integrations (not available yet)'),
      ...seeIn('list "Company"', 'About', 'Blog', 'Careers'),
      ...seeIn('list "Support"', 'Help Center', 'Security', 'Privacy Policy', 'Terms of Service'),
      see('"© 2024 Countersign. All rights reserved."', footer),
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
