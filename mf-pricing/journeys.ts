import {
  choose,
  defineJourneys,
  focusIs,
  isChosen,
  key,
  leadsTo,
  notSee,
  press,
  see,
  type Journey,
} from '@countersign/contracts/journeys';

const login = '{appHost}/login';
const inPlan = (plan: string) => ({ in: `article "${plan}"` }) as const;
const poweredUser = inPlan('Powered User');
const enterprise = inPlan('Enterprise');
const withTrial = [poweredUser, inPlan('Team Leader'), enterprise];

const leadOn = [
  ...withTrial.map((plan) => leadsTo('link "Start Free Trial"', login, plan)),
  leadsTo('link "Get Free"', login, inPlan('Free')),
  leadsTo('link "Contact Support"', login, inPlan('Direct API')),
];

const seeIn = (plan: string, ...texts: string[]) => texts.map((text) => see(`"${text}"`, inPlan(plan)));

function bothPrices(plan: string, month: string, year: string): Journey['steps'] {
  const card = inPlan(plan);
  return [
    see(`"${month}"`, card),
    see(`radiogroup "Billing interval of ${plan}"`, card),
    isChosen('radio "Monthly"', card),
    choose('radio "Yearly"', card),
    see(`"${year}"`, card),
    see('"USD per year"', card),
    notSee(`"${month}"`, card),
    see('"Yearly: about 2 months free"', card),
    key('ArrowLeft'),
    see(`"${month}"`, card),
    notSee(`"${year}"`, card),
  ];
}

const explanations = {
  'Sign requests per month': 'How many times in a month you can send something out to be signed.',
  'Max storage per collection': 'The room for all documents in one collection taken together.',
  'Max storage overall': 'The room for all your collections taken together.',
  'Signees per collection': 'How many people you can ask to sign the documents of one collection.',
  'Secure sharing': 'Links with a password and an expiration date, and a record of every view.',
  'Multiparty signature':
    'Several people sign one document in the order you set. Each is notified when it is their turn.',
} as const;

export const journeys = defineJourneys({
  'Powered User shows the price of a month and of a year': bothPrices('Powered User', '$5.99', '$60.99'),
  'Team Leader and Enterprise each show the price of a month and of a year': {
    often: false,
    steps: [
      ...bothPrices('Enterprise', '$29.99', '$299.99'),
      choose('radio "Yearly"', enterprise),
      ...bothPrices('Team Leader', '$12.99', '$129.99'),
      see('"$299.99"', enterprise),
      choose('radio "Monthly"', enterprise),
    ],
  },
  'a translated plan shows the price of a month and of a year': {
    page: 'translated',
    often: false,
    steps: bothPrices('Powered User', '$5.99', '$60.99'),
  },
  'without scripts a plan shows both prices, and each leads to the application': {
    page: 'plain',
    often: false,
    steps: [...bothPrices('Powered User', '$5.99', '$60.99'), ...leadOn],
  },
  'a choice before the code has come stays': {
    page: 'early',
    steps: [
      choose('radio "Yearly"', poweredUser),
      choose('radio "Monthly"', enterprise),
      key('ArrowRight'),
      focusIs('radio "Yearly"', enterprise),
      see('"$299.99"', enterprise),
      key('ArrowLeft'),
      see('"$29.99"', enterprise),
      isChosen('radio "Yearly"', poweredUser),
      see('"$60.99"', poweredUser),
    ],
  },
  'the last of two quick choices stays': [
    choose('radio "Yearly"', poweredUser),
    key('ArrowLeft'),
    press('button "Templating"'),
    see('tooltip'),
    key('Escape'),
    notSee('tooltip'),
    see('"$5.99"', poweredUser),
    notSee('"$60.99"', poweredUser),
  ],
  'the plans follow each other, forth and back': [
    press('radio "Monthly"', poweredUser),
    key('Tab', 2),
    focusIs('radiogroup "Billing interval of Team Leader"'),
    key('Tab', 2),
    focusIs('radiogroup "Billing interval of Enterprise"'),
    key('Tab', 3),
    focusIs('link "Contact Support"', inPlan('Direct API')),
    key('Shift+Tab', 4),
    focusIs('link "Start Free Trial"', inPlan('Team Leader')),
  ],
  'the price of a year leads to the application, too': withTrial.flatMap((plan) => [
    choose('radio "Yearly"', plan),
    leadsTo('link "Start Free Trial"', login, plan),
  ]),
  'each plan leads to the application': [
    see('"$0 USD per month"', inPlan('Free')),
    notSee('radio', inPlan('Free')),
    ...leadOn,
  ],
  'each plan says what it contains': [
    ...seeIn('Powered User', 'Everything in Free +', '10', '200MB'),
    ...seeIn('Team Leader', 'Most Popular', 'Everything in Powered User +', '2GB', 'Signees per collection'),
    ...seeIn('Team Leader', 'Sign requests per month'),
    ...seeIn('Enterprise', 'Everything unlimited'),
    ...seeIn('Free', 'Personal document collections'),
    ...seeIn('Direct API', 'Direct API access'),
    ...['Powered User', 'Enterprise', 'Free'].map((plan) => notSee('"Most Popular"', inPlan(plan))),
    ...['Most Popular', 'USD', '$', 'per month'].map((text) => notSee(`"${text}"`, inPlan('Direct API'))),
    // As its price, above the link with the same text.
    see('"Contact Support"', { in: 'paragraph' }),
    ...(['heading', 'region'] as const).map((role) => see(`${role} "Plans that grow with your paperwork"`)),
    see('"try any paid plan for 30 days without a credit card"'),
  ],
  'the table says what each plan includes': {
    at: 'wide',
    steps: [
      see('heading "What each plan includes"'),
      see('row "Free Powered User Team Leader Enterprise"', { in: 'table "What each plan includes"' }),
      see('row "Sign requests per month 3 10 50 Unlimited"'),
      see('row "Unlimited shares per month yes yes yes yes"'),
      // It has no explanation.
      notSee('button "Unlimited shares per month"'),
      see('row "Max storage per collection 10MB 20MB 20MB 50MB"'),
      see('row "Max storage overall 50MB 200MB 2GB Unlimited"'),
      see('row "Signees per collection 1 1 Multiple Unlimited"'),
      see('row "Secure sharing yes yes yes yes"'),
      see('row "Templating Basic Advanced Advanced Advanced"'),
      see('row "Multiparty signature no no yes yes"'),
      see('row "Priority support no no yes yes"'),
      ...['no', 'yes'].map((mark) => see(`img "${mark}"`, { in: 'row "Priority support no no yes yes"' })),
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
  'each limit is explained': {
    at: 'wide',
    often: false,
    steps: Object.entries(explanations).flatMap(([label, explanation]) => [
      press(`button "${label}"`),
      see(`tooltip "${explanation}"`),
    ]),
  },
});
