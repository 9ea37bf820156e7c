import {
  choose,
  defineJourneys,
  leadsTo,
  notSee,
  press,
  scrollsTo,
  see,
} from '@countersign/contracts/journeys';

const hero = 'region "Signed in order. Kept on record."';
const footer = { in: 'contentinfo' } as const;

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
  'a translated page stays usable': {
    page: 'translated',
    steps: [
      scrollsTo('link "API Documentation"', 'api', footer),
      press('button "Watch Demo"', { in: hero }),
      see('heading "Signed in order. Kept on record."'),
    ],
  },
});
