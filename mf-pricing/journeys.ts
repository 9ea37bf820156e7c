import {
  choose,
  defineJourneys,
  focusIs,
  key,
  leadsTo,
  notSee,
  press,
  see,
  type Journey,
} from '@countersign/contracts/journeys';

const login = '{appHost}/login';

function bothPrices(plan: string, month: string, year: string): Journey['steps'] {
  const card = { in: `article "${plan}"` } as const;
  return [
    see(`"${month}"`, card),
    choose('radio "Yearly"', card),
    see(`"${year}"`, card),
    see('"USD per year"', card),
    notSee(`"${month}"`, card),
    see('"months free"', card),
    key('ArrowLeft'),
    see(`"${month}"`, card),
    notSee(`"${year}"`, card),
  ];
}

export const journeys = defineJourneys({
  'Powered User shows the price of a month and of a year': bothPrices('Powered User', '$5.99', '$60.99'),
  'Team Leader and Enterprise each show the price of a month and of a year': {
    often: false,
    steps: [
      ...bothPrices('Enterprise', '$29.99', '$299.99'),
      choose('radio "Yearly"', { in: 'article "Enterprise"' }),
      ...bothPrices('Team Leader', '$12.99', '$129.99'),
      see('"$299.99"', { in: 'article "Enterprise"' }),
      choose('radio "Monthly"', { in: 'article "Enterprise"' }),
    ],
  },
  'a translated plan shows the price of a month and of a year': {
    page: 'translated',
    often: false,
    steps: bothPrices('Powered User', '$5.99', '$60.99'),
  },
  'each plan leads to the application': [
    see('"$0 USD per month"', { in: 'article "Free"' }),
    notSee('radio', { in: 'article "Free"' }),
    see('"2GB"', { in: 'article "Team Leader"' }),
    leadsTo('link "Start Free Trial"', login, { in: 'article "Powered User"' }),
    leadsTo('link "Start Free Trial"', login, { in: 'article "Team Leader"' }),
    leadsTo('link "Start Free Trial"', login, { in: 'article "Enterprise"' }),
    leadsTo('link "Get Free"', login, { in: 'article "Free"' }),
    leadsTo('link "Contact Support"', login, { in: 'article "Direct API"' }),
  ],
  'the table says what each plan includes': {
    at: 'wide',
    steps: [
      see('row "Free Powered User Team Leader Enterprise"'),
      see('row "Sign requests per month 3 10 50 Unlimited"'),
      see('row "Unlimited shares per month yes yes yes yes"'),
      see('row "Max storage per collection 10MB 20MB 20MB 50MB"'),
      see('row "Max storage overall 50MB 200MB 2GB Unlimited"'),
      see('row "Signees per collection 1 1 Multiple Unlimited"'),
      see('row "Secure sharing yes yes yes yes"'),
      see('row "Templating Basic Advanced Advanced Advanced"'),
      see('row "Multiparty signature no no yes yes"'),
      see('row "Priority support no no yes yes"'),
    ],
  },
  'an explanation opens by a press and by the keyboard': [
    press('button "Templating"'),
    see('tooltip "Prepare a document once, then send it as often as you need it."'),
    key('Escape'),
    notSee('tooltip'),
    key('Tab'),
    focusIs('button "Multiparty signature"'),
    see('tooltip'),
  ],
});
